#pragma once

#include <string_view>

namespace trestle {

/// Words of a site, or of the integrator, where a resume meets no record of the session at
/// a site. They stay as they are: the reason of a run's end carries them over the bus.
inline constexpr std::string_view kNoRecordOfSession =
    "it has no record of this session that was cut off";

/// Returns true if a resume was refused because a site's record is not there. The same
/// resume never succeeds unless a person brings that record back.
/// @param reason  of the end, or a text that contains it
inline bool is_lost_record(std::string_view reason) noexcept {
  return reason.find(kNoRecordOfSession) != std::string_view::npos;
}

/// Words of a record that was deleted while it was written, and could not be written again:
/// it is to be had as long as it is open.
inline constexpr std::string_view kStillOpen = "where that failed: before";

/// Words of a record that was deleted, and has been written to another place.
inline constexpr std::string_view kElsewhere = "what was recorded is in ";

/// Returns true if a person has to look for the record: it is not at its place.
/// @param reason  of a record's failure
inline bool is_elsewhere(std::string_view reason) noexcept {
  return reason.find(kElsewhere) != std::string_view::npos ||
         reason.find(kStillOpen) != std::string_view::npos;
}

/// @param reason  of a record's failure
inline bool is_still_open(std::string_view reason) noexcept {
  return reason.find(kStillOpen) != std::string_view::npos;
}

}  // namespace trestle
