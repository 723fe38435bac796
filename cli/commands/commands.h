#pragma once

#include <string>
#include <vector>

#include "cli/terminal/command_list.h"

namespace trestle::cli {

// Each command is declared by one function, in a separate source. The function adds the
// command with its options to the program and what it does to the list; the order of the
// calls is that of `trestle --help`.

void add_run_command(CLI::App& app, CommandList& commands);
void add_site_command(CLI::App& app, CommandList& commands);
void add_check_command(CLI::App& app, CommandList& commands);
void add_export_command(CLI::App& app, CommandList& commands);
void add_collect_command(CLI::App& app, CommandList& commands);
void add_audit_command(CLI::App& app, CommandList& commands);
/// `campaign` with its subcommands
void add_campaign_command(CLI::App& app, CommandList& commands);
void add_campaign_point_command(CLI::App& campaign, CommandList& commands);
void add_compare_command(CLI::App& app, CommandList& commands);
void add_pushover_command(CLI::App& app, CommandList& commands);
void add_spectrum_command(CLI::App& app, CommandList& commands);
void add_identify_command(CLI::App& app, CommandList& commands);
void add_link_command(CLI::App& app, CommandList& commands);
void add_gateway_command(CLI::App& app, CommandList& commands);
void add_doctor_command(CLI::App& app, CommandList& commands);
void add_characterise_command(CLI::App& app, CommandList& commands);
void add_mark_command(CLI::App& app, CommandList& commands);
void add_note_command(CLI::App& app, CommandList& commands);
/// status, why, arm, hold, resume, stop, clear
void add_operator_commands(CLI::App& app, CommandList& commands);
/// `rig` with its subcommands
void add_rig_command(CLI::App& app, CommandList& commands);
void add_say_command(CLI::App& app, CommandList& commands);
void add_watch_command(CLI::App& app, CommandList& commands);
void add_watch_key_command(CLI::App& app, CommandList& commands);
void add_keygen_command(CLI::App& app, CommandList& commands);
void add_rehearse_command(CLI::App& app, CommandList& commands);
void add_report_command(CLI::App& app, CommandList& commands);
/// `bondgraph` with its subcommands
void add_bond_graph_commands(CLI::App& app, CommandList& commands);
void add_bond_graph_plot_command(CLI::App& bond_graph, CommandList& commands);
void add_bond_graph_identify_command(CLI::App& bond_graph, CommandList& commands);
void add_adapter_commands(CLI::App& app, CommandList& commands);
void add_version_command(CLI::App& app, CommandList& commands);

struct RunOptions {
  std::string test;                    ///< TEST.yaml
  std::string out;                     ///< folder; empty: runs/<test>-<UTC>
  std::vector<std::string> overrides;  ///< path=value
  std::string person;                  ///< name that the person gave; may be empty
  bool json = false;
  bool resume = false;  ///< resumes an interrupted run of this test, if there is one
};
/// `trestle run`. @returns the exit code
int run(const RunOptions& options);

/// `trestle resume` if no process serves the run's folder: resumes the run, or writes the
/// summary of one that ended without.
/// @param person      name that the person gave; may be empty
/// @param unattended  started without a person: real equipment waits for one
/// @returns the exit code
int resume_run(const std::string& folder, const std::string& person, bool json,
               bool unattended = false);

}  // namespace trestle::cli
