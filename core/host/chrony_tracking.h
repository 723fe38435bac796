#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/base/time.h"

namespace trestle::host {

/// The state of the system clock, as chronyd reports it.
struct ChronyTracking {
  std::string reference;  ///< name or address of its time source
  int stratum = 0;
  /// |error| of the system clock is not larger, as long as stratum 1 is right:
  /// |system time| + root dispersion + root delay / 2 (chronyc(1), tracking).
  Duration bound{};
  /// By how much the bound may grow: the skew [s/s].
  double skew = 0.0;
};

/// Reads the line of `chronyc -c tracking`. @returns why not, if it is none, or the
/// clock is not synchronised
Result<ChronyTracking> parse_chrony_tracking(std::string_view line);

/// Asks chronyd; takes some milliseconds, a child process and the heap. @returns why not,
/// where chronyc is not installed or has no daemon to talk to
Result<ChronyTracking> query_chrony();

}  // namespace trestle::host
