#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>

#include "cli/commands/commands.h"
#include "cli/terminal/common_options.h"
#include "cli/terminal/exit_code.h"
#include "cli/terminal/problems.h"
#include "cli/terminal/reported_run.h"
#include "cli/terminal/software_version.h"
#include "composition/hybrid_test/endpoint_factory.h"
#include "composition/processes/hybrid_test_setup.h"
#include "composition/processes/interrupted_runs.h"
#include "composition/processes/opening_signals.h"
#include "composition/processes/run_folder.h"
#include "core/base/lasting_file.h"
#include "core/base/set_aside.h"
#include "core/yaml/yaml_writer.h"
#include "gateway/operator/operator_server.h"
#include "studies/pretest/run_questions.h"

namespace trestle::cli {
namespace {

/// Resumes an interrupted run, or tells its owner how; it is never left behind for a second
/// one.
int found_interrupted(const std::string& folder, const RunOptions& options) {
  if (options.resume)
    return resume_run(folder, options.person, options.json, /*unattended=*/true);
  std::fprintf(stderr,
               "%s: holds a run of this very test that was cut off; to resume it: "
               "trestle resume %s; to begin another one: name a folder with --out\n",
               folder.c_str(), folder.c_str());
  return kExitConfiguration;
}

}  // namespace

int run(const RunOptions& options) {
  composition::OpeningSignals opening(kExitStopped);
  const std::unique_ptr<composition::HybridTestSetup> setup = composition::load_hybrid_test(
      options.test, yaml::parse_command_line_overrides(options.overrides),
      software_version());
  setup->integrator.session = composition::new_session();
  // Told before a folder is made.
  if (!setup->test.undivided()) composition::integrator_endpoint(setup->test, setup->where);
  print_questions(pretest::questions_at_start(*setup));
  for (const std::string& sentence : pretest::expired_at_start(*setup))
    std::fprintf(stderr, "warning: %s\n", sentence.c_str());
  const composition::EffectiveTest effective{yaml::write_yaml(setup->test),
                                             software_version()};
  const std::string name = composition::to_folder_name(setup->test.test());
  std::string folder = options.out.empty()
                           ? composition::find_interrupted_run(name, effective)
                           : options.out;
  if (!folder.empty() && composition::holds_interrupted_run(folder, effective))
    return found_interrupted(folder, options);
  try {
    if (folder.empty()) folder = composition::new_run_folder(name);
    composition::make_run_folder(folder);
    operators::OperatorServer operators({.folder = folder});
    composition::make_run_folder(
        folder);  // the process that served it until now may have begun a record
    // Of a test that ended here before its record began; nothing of it is of this one.
    if (std::filesystem::exists(folder + "/summary.json"))
      set_aside(folder, {"summary.json"});
    keep_file(folder + "/effective.yaml", effective.yaml);
    return run_and_report(*setup, operators,
                          {{folder, options.person, false}, options.json});
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kExitConfiguration;
  }
}

void add_run_command(CLI::App& app, CommandList& commands) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* const verb = app.add_subcommand("run", "run a test");
  verb->add_option("test", options->test, "TEST.yaml")->required();
  verb->add_option("--out", options->out,
                   "folder of the record; default runs/<test>-<UTC>");
  add_override_option(*verb, options->overrides);
  add_person_option(*verb, options->person);
  verb->add_flag("--json", options->json, "print the summary as JSON, and nothing else");
  verb->add_flag("--resume", options->resume,
                 "resume a run of this very test that was cut off, if there is one in "
                 "its folder; real equipment waits for `trestle resume`");
  commands.add(verb, [options] { return run(*options); });
}

}  // namespace trestle::cli
