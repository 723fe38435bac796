#include <chrono>
#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/terminal/common_options.h"
#include "cli/terminal/exit_code.h"
#include "cli/terminal/problems.h"
#include "cli/terminal/software_version.h"
#include "composition/processes/gateway_process.h"
#include "composition/processes/gateway_setup.h"
#include "composition/processes/opening_signals.h"
#include "composition/processes/run_folder.h"
#include "core/base/lasting_file.h"
#include "core/types/session_id_text.h"
#include "observe/report/run_summary.h"
#include "studies/pretest/plausibility.h"

namespace trestle::cli {
namespace {

struct GatewayOptions {
  std::string listen = "127.0.0.1:8090";  ///< HOST:PORT
  std::string transport = "tcp";          ///< or udp
  std::string site;                       ///< SITE.yaml: what the client drives
  std::string out;                        ///< folder; empty: runs/gateway-<name>
  std::vector<std::string> overrides;     ///< path=value
  std::string person;                     ///< name that the person gave; may be empty
  /// How long it looks awake for the client's next command before it sleeps [us].
  int spin = 100;
  bool once = false;  ///< ends after one client
};

void write_summary(const composition::GatewaySetup& setup,
                   const composition::ClientRun& run) {
  const report::RunMetadata facts{.test = setup.test.test(),
                                  .mode = name(setup.integrator.mode),
                                  .folder = run.folder,
                                  .session = to_hex(run.session),
                                  .software = software_version(),
                                  .time_step = setup.integrator.time_step,
                                  .wall = run.wall};
  keep_file(run.folder + "/summary.json", report::summary_json(run.report, facts));
}

int exit_code_of(const std::optional<evaluation::RunResult>& result) {
  if (!result || *result == evaluation::RunResult::kComplete) return kExitComplete;
  return *result == evaluation::RunResult::kSiteLost ? kExitPeerLost : kExitStopped;
}

int serve_openfresco_clients(const GatewayOptions& options) {
  const bool datagrams = options.transport == "udp";
  composition::OpeningSignals opening(kExitStopped);
  const std::unique_ptr<composition::GatewaySetup> setup = composition::set_up_gateway(
      options.site, options.overrides, datagrams, software_version());
  print_questions(pretest::doubtful_numbers(setup->file, setup->where));
  const std::string folder =
      options.out.empty()
          ? "runs/gateway-" + composition::to_folder_name(setup->test.test())
          : options.out;
  try {
    const std::unique_ptr<openfresco_server::ClientPort> port =
        composition::open_client_port(*setup, options.listen, options.site, datagrams);
    make_folders(folder);
    composition::GatewayProcess process(
        *setup, *port,
        {.folder = folder,
         .person = options.person,
         .spin = std::chrono::microseconds(options.spin),
         .once = options.once,
         .summarise = [&](const composition::ClientRun& run) {
           write_summary(*setup, run);
         }});
    return exit_code_of(process.run());
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kExitConfiguration;
  }
}

}  // namespace

void add_gateway_command(CLI::App& app, CommandList& commands) {
  const auto options = std::make_shared<GatewayOptions>();
  CLI::App* const gateway =
      app.add_subcommand("gateway", "let a foreign integrator drive our sites");
  gateway->require_subcommand(1);
  CLI::App* const verb = gateway->add_subcommand(
      "openfresco",
      "OpenSees and OpenFresco, by their own protocols (docs/howto/use-openfresco.md)");
  verb->add_option("--listen", options->listen,
                   "HOST:PORT where the client calls in; port 0: any free one");
  verb->add_option("--transport", options->transport, "tcp or udp")
      ->check(CLI::IsMember({"tcp", "udp"}));
  verb->add_option("--site", options->site, "SITE.yaml: what it drives")->required();
  verb->add_option("--out", options->out,
                   "folder of the records; default runs/gateway-<name>");
  add_override_option(*verb, options->overrides);
  add_person_option(*verb, options->person);
  verb->add_option("--spin", options->spin,
                   "microseconds for which it waits awake for the client's next word, "
                   "before it sleeps; 0: sleeps at once")
      ->check(CLI::Range(0, 10'000))
      ->capture_default_str();
  verb->add_flag("--once", options->once, "end after one client");
  commands.add(verb, [options] { return serve_openfresco_clients(*options); });
}

}  // namespace trestle::cli
