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

/// The verb of `trestle` that helps where a node holds, is in FAULT or waits to be armed:
/// "resume", "stop" (a resume would meet a target that a site refused), "clear", "arm";
/// empty: none.
std::string next_verb(const NodeStatus& standing);

}  // namespace trestle::operators
