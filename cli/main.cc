#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>

#include "cli/exit_code.h"
#include "cli/output.h"
#include "cli/problems.h"
#include "cli/study_verbs.h"
#include "cli/verbs.h"
#include "core/config/config_error.h"
#include "core/types/message.h"

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

  RunOptions run_options;
  CLI::App* run_verb = app.add_subcommand("run", "run a test");
  run_verb->add_option("test", run_options.test, "TEST.yaml")->required();
  run_verb->add_option("--out", run_options.out,
                       "folder of the record; default runs/<test>-<UTC>");
  run_verb->add_option("--set", run_options.overrides, kSetHelp)->allow_extra_args(false);
  run_verb->add_flag("--json", run_options.json,
                     "print the summary as JSON, and nothing else");

  SiteOptions site_options;
  CLI::App* site_verb = app.add_subcommand("site", "serve a laboratory's rig");
  site_verb->add_option("site", site_options.site, "SITE.yaml")->required();
  site_verb->add_option("--out", site_options.out,
                        "folder of the records; default runs/site-<name>");
  site_verb->add_option("--set", site_options.overrides, kSetHelp)->allow_extra_args(false);
  site_verb->add_flag("--once", site_options.once, "end after one test");

  CheckOptions check_options;
  CLI::App* check_verb = app.add_subcommand("check", "look at a test before it runs");
  check_verb->add_option("test", check_options.test, "TEST.yaml")->required();
  check_verb->add_option("--set", check_options.overrides, kSetHelp)
      ->allow_extra_args(false);
  check_verb->add_flag("--json", check_options.json, "print the result as JSON");

  ExportVerbOptions export_options;
  CLI::App* export_verb =
      app.add_subcommand("export", "write a record as CSV, HDF5 or MAT");
  export_verb->add_option("folder", export_options.folder, "folder of a run")->required();
  export_verb->add_option("--csv", export_options.csv, "FILE; - for standard output");
  export_verb->add_option("--hdf5", export_options.hdf5, "FILE");
  export_verb->add_option("--mat", export_options.mat, "FILE, for MATLAB");
  export_verb->add_flag("--ticks", export_options.ticks,
                        "the control-rate record of the sites");

  CollectOptions collect_options;
  CLI::App* collect_verb = app.add_subcommand(
      "collect", "bring the records of site servers into a run's folder");
  collect_verb->add_option("folder", collect_options.folder, "folder of a run")->required();
  collect_verb->add_option("sites", collect_options.sites,
                           "folders of site servers; none: fetch over the bus");
  collect_verb
      ->add_option("--patience", collect_options.patience,
                   "seconds to wait for a site that does not answer; default 10")
      ->check(CLI::PositiveNumber);

  const StudyVerbs studies(app);

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
  if (run_verb->parsed()) return run(run_options);
  if (site_verb->parsed()) return site(site_options);
  if (check_verb->parsed()) return check(check_options);
  if (export_verb->parsed()) return export_record(export_options);
  if (collect_verb->parsed()) return collect_sites(collect_options);
  if (const std::optional<int> code = studies.run()) return *code;
  if (version_verb->parsed()) print_version();
  return kExitComplete;
}

}  // namespace

int main(int argc, char** argv) {
  // A file that may not grow is an error that the journal reports, and no end of the
  // program.
  std::signal(SIGXFSZ, SIG_IGN);
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
