#include <unistd.h>

#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>

#include "cli/commands/commands.h"
#include "cli/terminal/exit_code.h"
#include "cli/terminal/problems.h"
#include "composition/hybrid_test/endpoint_factory.h"
#include "core/bus/zmq_transport.h"
#include "core/timing/monotonic_clock.h"
#include "core/types/record_names.h"
#include "core/types/session_id_text.h"
#include "core/yaml/yaml_reader.h"
#include "observe/records/collect.h"
#include "observe/records/fetch_record.h"
#include "observe/records/run_record.h"

namespace trestle::cli {
namespace {

struct CollectOptions {
  std::string folder;              ///< of a run
  std::vector<std::string> sites;  ///< folders of site servers; empty: ask over the bus
  double patience = 10.0;          ///< with a site that does not answer [s]
};

SessionId recorded_session(const std::string& folder) {
  const std::string digits =
      records::RunRecord(folder).integrator().required_meta(meta_key::kSession);
  const std::optional<SessionId> session = parse_session_id(digits);
  if (!session)
    throw std::runtime_error(folder + ": its record holds a session `" + digits +
                             "`, which is none");
  return *session;
}

void show(const std::string& site, std::uint64_t done, std::uint64_t total) {
  if (isatty(STDERR_FILENO) == 0) return;
  const double percent =
      total > 0 ? 100.0 * static_cast<double>(done) / static_cast<double>(total) : 100.0;
  std::fprintf(stderr, "\r%-12s %6.1f of %6.1f MB  %3.0f %%%s", site.c_str(),
               static_cast<double>(done) * 1e-6, static_cast<double>(total) * 1e-6, percent,
               done == total ? "\n" : "");
}

void fetch_from_sites(const CollectOptions& options) {
  config::Test test;
  yaml::SourceMap where;
  yaml::read_yaml(options.folder + "/effective.yaml", {}, test, where);
  const bus::IntegratorEndpoint endpoint = composition::integrator_endpoint(test, where);
  if (endpoint.sites.empty())
    throw std::runtime_error("all sites of " + options.folder +
                             " were in its own process; their records are there already");
  const SessionId session = recorded_session(options.folder);
  const std::unique_ptr<bus::ZmqTransport> transport =
      bus::ZmqTransport::for_integrator(endpoint);
  timing::MonotonicClock clock(*transport);
  for (std::size_t peer = 0; peer < endpoint.sites.size(); ++peer) {
    const bus::IntegratorEndpoint::Site& site = endpoint.sites[peer];
    records::fetch_record(
        {.peer = static_cast<int>(peer),
         .name = site.name,
         .where = site.address.empty() ? "calls in at " + endpoint.listen : site.address,
         .session = session,
         .patience = Duration{static_cast<std::int64_t>(options.patience * 1e9)}},
        *transport, clock, options.folder,
        [&](std::uint64_t done, std::uint64_t total) { show(site.name, done, total); });
  }
}

int collect_sites(const CollectOptions& options) {
  try {
    if (options.sites.empty())
      fetch_from_sites(options);
    else
      records::collect(options.folder, options.sites);
  } catch (const records::SiteTimeout& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kExitPeerLost;
  } catch (const yaml::ConfigError& error) {
    print_problems(error.lines());
    return kExitConfiguration;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kExitConfiguration;
  }
  return kExitComplete;
}

}  // namespace

void add_collect_command(CLI::App& app, CommandList& commands) {
  const auto options = std::make_shared<CollectOptions>();
  CLI::App* const verb = app.add_subcommand(
      "collect", "bring the records of site servers into a run's folder");
  verb->add_option("folder", options->folder, "folder of a run")->required();
  verb->add_option("sites", options->sites,
                   "folders of site servers; none: fetch over the bus");
  verb->add_option("--patience", options->patience,
                   "seconds to wait for a site that does not answer; default 10")
      ->check(CLI::PositiveNumber);
  commands.add(verb, [options] { return collect_sites(*options); });
}

}  // namespace trestle::cli
