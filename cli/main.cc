#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "cli/commands/commands.h"
#include "cli/terminal/exit_code.h"
#include "cli/terminal/problems.h"
#include "cli/terminal/software_version.h"
#include "core/host/descriptors.h"
#include "core/yaml/config_error.h"

namespace {

using namespace trestle;

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

/// In the order of `trestle --help`.
void add_commands(CLI::App& app, cli::CommandList& commands) {
  cli::add_run_command(app, commands);
  cli::add_site_command(app, commands);
  cli::add_check_command(app, commands);
  cli::add_export_command(app, commands);
  cli::add_collect_command(app, commands);
  cli::add_audit_command(app, commands);
  cli::add_campaign_command(app, commands);
  cli::add_compare_command(app, commands);
  cli::add_pushover_command(app, commands);
  cli::add_spectrum_command(app, commands);
  cli::add_identify_command(app, commands);
  cli::add_link_command(app, commands);
  cli::add_gateway_command(app, commands);
  cli::add_doctor_command(app, commands);
  cli::add_characterise_command(app, commands);
  cli::add_mark_command(app, commands);
  cli::add_note_command(app, commands);
  cli::add_operator_commands(app, commands);
  cli::add_rig_command(app, commands);
  cli::add_say_command(app, commands);
  cli::add_watch_command(app, commands);
  cli::add_watch_key_command(app, commands);
  cli::add_keygen_command(app, commands);
  cli::add_rehearse_command(app, commands);
  cli::add_report_command(app, commands);
  cli::add_bond_graph_commands(app, commands);
  cli::add_adapter_commands(app, commands);
  cli::add_version_command(app, commands);
}

int dispatch(int argc, char** argv) {
  CLI::App app{"Hybrid simulation: a structure cut in two, one part computed, one tested."};
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 complete, 1 internal error, 2 configuration or usage,\n"
      "3 stopped safely before the end, 4 a peer is unreachable or lost.");
  cli::CommandList commands;
  add_commands(app, commands);
  app.set_version_flag("--version", "trestle " + cli::software_version());

  if (argc > 1 && argv[1][0] != '-' && !is_verb(app, argv[1])) {
    std::fprintf(stderr, "there is no verb `%s`; must be one of %s\n", argv[1],
                 verbs_of(app).c_str());
    return cli::kExitConfiguration;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? cli::kExitComplete : cli::kExitConfiguration;
  }
  return commands.run().value_or(cli::kExitComplete);
}

/// A command whose text is lost has failed. A reader that has read enough (`| head`) closes
/// its pipe, which is no loss. The code of `run` and `resume` is the outcome of the test,
/// whose record and summary are in files.
int code_with_output(int code, std::string_view verb) {
  errno = 0;
  const bool written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (written || errno == EPIPE) return code;
  std::fprintf(stderr,
               "standard output cannot be written (%s); what this command printed is "
               "incomplete. Free space on its disk, or send it elsewhere\n",
               std::generic_category().message(errno == 0 ? EIO : errno).c_str());
  const bool has_record = verb == "run" || verb == "resume";
  return code == cli::kExitComplete && !has_record ? cli::kExitConfiguration : code;
}

}  // namespace

int main(int argc, char** argv) {
  // A file that may not grow is an error that the journal reports, and no end of the
  // program.
  std::signal(SIGXFSZ, SIG_IGN);
  host::raise_descriptor_limit();
  try {
    return code_with_output(dispatch(argc, argv), argc > 1 ? argv[1] : "");
  } catch (const yaml::ConfigError& error) {
    cli::print_problems(error.lines());
    return cli::kExitConfiguration;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return cli::kExitInternal;
  }
}
