#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>

#include "cli/adapter_verbs.h"
#include "cli/bondgraph_verbs.h"
#include "cli/exit_code.h"
#include "cli/gateway_verbs.h"
#include "cli/host_verbs.h"
#include "cli/keygen.h"
#include "cli/link_verbs.h"
#include "cli/operate_verbs.h"
#include "cli/problems.h"
#include "cli/rehearse.h"
#include "cli/rig_verbs.h"
#include "cli/run_folder.h"
#include "cli/study_verbs.h"
#include "cli/test_verbs.h"
#include "cli/watch_verbs.h"
#include "core/host/descriptors.h"
#include "core/types/message.h"
#include "core/yaml/config_error.h"

namespace {

using namespace trestle;

void print_version() {
  std::printf("trestle %s, protocol %u.%u\n", software_version().c_str(),
              kProtocolVersion.major, kProtocolVersion.minor);
}

bool is_verb(const CLI::App& app, const std::string& word) {
  const auto verbs = app.get_subcommands({});
  return std::any_of(verbs.begin(), verbs.end(),
                     [&](const CLI::App* verb) { return verb->get_name() == word; });
}

std::string verbs_of(const CLI::App& app) {
  std::string verbs;
  for (const CLI::App* verb : app.get_subcommands({}))
    verbs += (verbs.empty() ? "" : ", ") + verb->get_name();
  return verbs;
}

int dispatch(int argc, char** argv) {
  CLI::App app{"Hybrid simulation: a structure cut in two, one part computed, one tested."};
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 complete, 1 internal error, 2 configuration or usage,\n"
      "3 stopped safely before the end, 4 a peer is unreachable or lost.");

  const TestVerbs tests(app);
  const StudyVerbs studies(app);
  const LinkVerbs links(app);
  const GatewayVerbs gateways(app);
  const HostVerbs host(app);
  const RigVerbs rigs(app);
  const OperateVerbs operators(app);
  const WatchVerbs watching(app);
  const KeygenVerb keys(app);
  const RehearseVerb rehearsals(app);
  const BondgraphVerb graphs(app);
  const AdapterVerbs adapters(app);

  CLI::App* version_verb = app.add_subcommand("version", "print the version");
  app.set_version_flag("--version", "trestle " + software_version());

  if (argc > 1 && argv[1][0] != '-' && !is_verb(app, argv[1])) {
    std::fprintf(stderr, "there is no verb `%s`; must be one of %s\n", argv[1],
                 verbs_of(app).c_str());
    return kExitConfiguration;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitComplete : kExitConfiguration;
  }
  if (const std::optional<int> code = tests.run()) return *code;
  if (const std::optional<int> code = studies.run()) return *code;
  if (const std::optional<int> code = links.run()) return *code;
  if (const std::optional<int> code = gateways.run()) return *code;
  if (const std::optional<int> code = host.run()) return *code;
  if (const std::optional<int> code = rigs.run()) return *code;
  if (const std::optional<int> code = operators.run()) return *code;
  if (const std::optional<int> code = watching.run()) return *code;
  if (const std::optional<int> code = keys.run()) return *code;
  if (const std::optional<int> code = rehearsals.run()) return *code;
  if (const std::optional<int> code = graphs.run()) return *code;
  if (const std::optional<int> code = adapters.run()) return *code;
  if (version_verb->parsed()) print_version();
  return kExitComplete;
}

}  // namespace

int main(int argc, char** argv) {
  // A file that may not grow is an error that the journal reports, and no end of the
  // program.
  std::signal(SIGXFSZ, SIG_IGN);
  raise_descriptor_limit();
  try {
    return dispatch(argc, argv);
  } catch (const ConfigError& error) {
    print_problems(error.lines());
    return kExitConfiguration;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kExitInternal;
  }
}
