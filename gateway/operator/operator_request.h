#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ports/operator_interface.h"

namespace trestle::operators {

/// The commands and queries of an operator.
enum class OperatorVerb {
  kStatus,
  kWhy,
  kArm,
  kHold,
  kResume,
  kStop,
  kClear,
  kNote,
  kRig,
  kConfirm,
  kSay,
  kWaive
};

/// "status", "why", "arm", ...
std::string_view name(OperatorVerb verb) noexcept;

struct OperatorRequest {
  OperatorVerb verb = OperatorVerb::kStatus;
  std::string reason;      ///< of hold, stop, may be empty; of waive; of confirm: the item
  std::string as = {};     ///< the name that the person gave; may be empty
  std::string drive = {};  ///< of clear: that the equipment has in force; may be empty
  Note note = {};          ///< of note and say
  RigRequest rig = {};     ///< of rig; its `drive` is that of the request
  std::string item = {};   ///< of waive: the item of the checklist
};

/// "status", "zero", "tare", "undo-tare", "jog", "home", "exercise", "release",
/// "set-aside", "continue", "end".
std::string_view name(RigRequest::Action action) noexcept;

struct OperatorReply {
  std::string refusal;                 ///< why not; empty: followed
  std::string said;                    ///< of a command: one sentence, what happened
  std::vector<std::string> why;        ///< of `why`: a sentence for each wait
  std::optional<NodeStatus> standing;  ///< how the node stands now
  bool later = false;                  ///< not sent: the command's outcome comes later
};

/// Largest request in bytes: one line, its end included.
inline constexpr std::size_t kLongestRequest = 4096;
/// Longest reason [bytes].
inline constexpr std::size_t kLongestReason = 400;

}  // namespace trestle::operators
