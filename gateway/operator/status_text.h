#pragma once

#include <string>
#include <vector>

#include "core/ports/operator_interface.h"

namespace trestle::operators {

/// Formats the pending waits: one sentence each, for which node, since when, until when,
/// and the consequence. Before them the reason if the node holds or is in FAULT. Never
/// empty.
std::vector<std::string> why(const NodeStatus& standing);

/// One screen, lines ended: state, test, step and time, peers, waits.
std::string format_status(const NodeStatus& standing);

/// "RUNNING, 413 of 42169 steps done".
std::string format_brief_status(const NodeStatus& standing);

/// The command that helps where a node holds, is in FAULT or waits to be armed: "trestle
/// resume FOLDER", "trestle stop FOLDER" (a resume would meet a target that a site
/// refused), "trestle clear" of the node or of a site (which refuses a resume before),
/// "trestle arm FOLDER", "kill -TERM 4711" (that process cannot go on); empty: none.
std::string next_command(const NodeStatus& standing, const std::string& folder);

}  // namespace trestle::operators
