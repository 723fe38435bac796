#pragma once

#include <string>
#include <string_view>

namespace trestle {

/// Words of an integrator whose numbers or record failed for good, and of a site whose
/// record did; the number of its process follows. A wait carries them to the programs that
/// show it.
inline constexpr std::string_view kProcessToEnd = "this process to be ended: ";
inline constexpr std::string_view kEndProcess = "kill -TERM ";
inline constexpr std::string_view kTwice = ", twice";  ///< the first signal only holds

/// The command by which a resume is withdrawn that waits for a site.
inline constexpr std::string_view kWithdraw = "trestle hold RUN";

/// Words of a site in FAULT whose driver is in a call, or has ended: a clear comes later.
inline constexpr std::string_view kDriverToReturn = "the rig's driver to come back";

/// Words of a site whose process drives the rig, and whose record failed.
inline constexpr std::string_view kRecordToBeSeenTo = "its record to be seen to";
/// Words of an integrator about a site that is in FAULT; its name follows.
inline constexpr std::string_view kWhenAPersonAt = " when a person at site ";

/// Returns the name of the site whose fault is to be cleared before a resume; empty: none.
/// @param wait  PendingWait::what
inline std::string site_to_clear(std::string_view wait) {
  const std::size_t at = wait.find(kWhenAPersonAt);
  if (at == std::string_view::npos) return {};
  wait.remove_prefix(at + kWhenAPersonAt.size());
  return std::string(wait.substr(0, wait.find(' ')));
}

/// Returns the command that ends the process of which a wait says so: "kill -TERM 4711";
/// empty: it is another wait.
/// @param wait  PendingWait::what
inline std::string command_to_end(std::string_view wait) {
  if (!wait.starts_with(kProcessToEnd)) return {};
  wait.remove_prefix(kProcessToEnd.size());
  if (!wait.starts_with(kEndProcess)) return {};
  const std::size_t digits =
      wait.substr(kEndProcess.size()).find_first_not_of("0123456789");
  if (digits == std::string_view::npos) return std::string(wait);
  const std::string_view rest = wait.substr(kEndProcess.size() + digits);
  return std::string(wait.substr(0, kEndProcess.size() + digits)) +
         (rest.starts_with(kTwice) ? std::string(kTwice) : std::string());
}

}  // namespace trestle
