#include "observe/records/collect.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>

#include "cli/exit_code.h"
#include "cli/problems.h"
#include "cli/verbs.h"
#include "composition/hybrid_test/endpoint_factory.h"
#include "core/bus/zmq_transport.h"
#include "core/timing/monotonic_clock.h"
#include "core/types/record_names.h"
#include "core/yaml/yaml_reader.h"
#include "observe/records/fetch_record.h"
#include "observe/records/run_record.h"

namespace trestle {
namespace {

SessionId parse_session_id(const std::string& digits) {
  SessionId id{};
  for (std::size_t i = 0; i < id.size() && 2 * i + 1 < digits.size(); ++i)
    id[i] = static_cast<std::uint8_t>(std::stoul(digits.substr(2 * i, 2), nullptr, 16));
  return id;
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
  SourceMap where;
  read_yaml(options.folder + "/effective.yaml", {}, test, where);
  const IntegratorEndpoint endpoint = integrator_endpoint(test, where);
  if (endpoint.sites.empty())
    throw std::runtime_error("all sites of " + options.folder +
                             " were in its own process; their records are there already");
  const SessionId session = parse_session_id(
      RunRecord(options.folder).integrator().required_meta(meta_key::kSession));
  const std::unique_ptr<ZmqTransport> transport = ZmqTransport::for_integrator(endpoint);
  MonotonicClock clock(*transport);
  for (std::size_t peer = 0; peer < endpoint.sites.size(); ++peer) {
    const IntegratorEndpoint::Site& site = endpoint.sites[peer];
    fetch_record(
        {.peer = static_cast<int>(peer),
         .name = site.name,
         .where = site.address.empty() ? "calls in at " + endpoint.listen : site.address,
         .session = session,
         .patience = Duration{static_cast<std::int64_t>(options.patience * 1e9)}},
        *transport, clock, options.folder,
        [&](std::uint64_t done, std::uint64_t total) { show(site.name, done, total); });
  }
}

}  // namespace

int collect_sites(const CollectOptions& options) {
  try {
    if (options.sites.empty())
      fetch_from_sites(options);
    else
      collect(options.folder, options.sites);
  } catch (const SiteTimeout& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kExitPeerLost;
  } catch (const ConfigError& error) {
    print_problems(error.lines());
    return kExitConfiguration;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kExitConfiguration;
  }
  return kExitComplete;
}

}  // namespace trestle
