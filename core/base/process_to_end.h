#pragma once

#include <string>
#include <string_view>

namespace trestle {

/// Words of an integrator whose numbers or record failed for good, and of a site whose
/// record did; the number of its process follows. A wait carries them to the programs that
/// show it.
inline constexpr std::string_view kProcessToEnd = "this process to be ended: ";
inline constexpr std::string_view kEndProcess = "kill -TERM ";

/// Returns the command that ends the process of which a wait says so: "kill -TERM 4711";
/// empty: it is another wait.
/// @param wait  PendingWait::what
inline std::string command_to_end(std::string_view wait) {
  if (!wait.starts_with(kProcessToEnd)) return {};
  wait.remove_prefix(kProcessToEnd.size());
  if (!wait.starts_with(kEndProcess)) return {};
  const std::size_t digits =
      wait.substr(kEndProcess.size()).find_first_not_of("0123456789");
  return std::string(wait.substr(
      0, digits == std::string_view::npos ? digits : kEndProcess.size() + digits));
}

}  // namespace trestle
