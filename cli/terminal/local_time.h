#pragma once

#include <string>

namespace trestle::cli {

/// Returns the present time at this host, "14:05:12": people of several laboratories speak
/// of their own. Empty: the host has none.
std::string local_clock();
/// The same with the date and the offset from UTC, "2026-11-29 14:05:12 +0100".
std::string local_date();

}  // namespace trestle::cli
