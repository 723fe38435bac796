#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/terminal/common_options.h"
#include "cli/terminal/exit_code.h"
#include "cli/terminal/problems.h"
#include "cli/terminal/site_terminal.h"
#include "cli/terminal/software_version.h"
#include "composition/processes/opening_signals.h"
#include "composition/processes/run_folder.h"
#include "composition/processes/site_process.h"
#include "core/base/lasting_file.h"
#include "studies/pretest/plausibility.h"

namespace trestle::cli {
namespace {

struct SiteOptions {
  std::string site;  ///< SITE.yaml
  std::string out;   ///< folder; empty: runs/site-<name>
  std::vector<std::string> overrides;
  std::string person;  ///< name that the person gave; may be empty
  bool once = false;   ///< end after one session
};

int serve_site(const SiteOptions& options) {
  composition::OpeningSignals opening(kExitStopped);
  const std::unique_ptr<composition::SiteSetup> setup =
      composition::load_site(options.site, options.overrides, software_version());
  print_questions(pretest::doubtful_numbers(setup->file, setup->where));
  const std::string folder =
      options.out.empty() ? "runs/site-" + composition::to_folder_name(setup->file.site())
                          : options.out;
  try {
    make_folders(folder);
    composition::SiteProcess process(
        *setup, {.folder = folder,
                 .person = options.person,
                 .once = options.once,
                 .exit_code_if_rig_hangs = kExitStopped,
                 .display = [&folder](host::LineWriter& terminal) {
                   return std::make_unique<SiteTerminal>(folder, terminal);
                 }});
    process.run();
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kExitConfiguration;
  }
  return kExitComplete;
}

}  // namespace

void add_site_command(CLI::App& app, CommandList& commands) {
  const auto options = std::make_shared<SiteOptions>();
  CLI::App* const verb = app.add_subcommand("site", "serve a laboratory's rig");
  verb->add_option("site", options->site, "SITE.yaml")->required();
  verb->add_option("--out", options->out,
                   "folder of the records; default runs/site-<name>");
  add_override_option(*verb, options->overrides);
  add_person_option(*verb, options->person);
  verb->add_flag("--once", options->once, "end after one test");
  commands.add(verb, [options] { return serve_site(*options); });
}

}  // namespace trestle::cli
