#pragma once

#include <string_view>

namespace trestle {

/// Words of a site behind its refusal of a target, which stay as they are: the reason of a
/// hold carries them over the bus and through the record.
inline constexpr std::string_view kSameTargetAgain = "A resume sends the same target again";

/// Returns true if a test holds as a site refused a target. Each resume meets that target.
/// @param reason  of the hold, or a text that contains it
inline bool is_refused_target(std::string_view reason) noexcept {
  return reason.find(kSameTargetAgain) != std::string_view::npos;
}

/// The possible commands if no process serves such a test.
inline constexpr std::string_view kRefusedTargetHelp =
    "a resume meets the same target: end it (trestle stop SITE, if a site server still "
    "holds "
    "its rig), or run it again with other limits";

}  // namespace trestle
