#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/time.h"

namespace trestle::cli {

/// How `trestle arm` and `trestle resume` treat the checklist before they go on.
struct ArmChecklist {
  std::vector<int> ticks;  ///< numbers of items to confirm, from 1
  /// Items to waive: numbers, from 1, or texts.
  std::vector<std::string> waives{};
  std::string reason{};    ///< why they may be left undone
  bool list_only = false;  ///< show the checklist and do not arm
  bool resumes = false;    ///< the test is resumed, not armed
  bool sure = false;       ///< a person at a terminal is not asked whether that is meant
};

/// Confirms and waives the items of a checklist that are named, asks for the others at a
/// terminal, and prints those that stay open.
/// @param folder    of the run
/// @param person    name that the person gave; may be empty
/// @param patience  with a process that does not answer
/// @param quiet     print and ask nothing: the answer is JSON
/// @returns the exit code if the command ends here; nothing: it arms, or resumes
std::optional<int> prepare_to_arm(const std::string& folder, const ArmChecklist& checklist,
                                  const std::string& person, Duration patience, bool quiet);

}  // namespace trestle::cli
