#pragma once

#include <limits>
#include <string>

#include "core/base/time.h"
#include "core/types/message.h"

namespace trestle::site_node {

/// The longest times that a site accepts from a test, each [s]. Infinity: no maximum.
struct LongestTimes {
  static constexpr double kAny = std::numeric_limits<double>::infinity();

  double watchdog = kAny;   ///< silence of the integrator before the rig is held
  double heartbeat = kAny;  ///< between two words of either end
  double step = kAny;       ///< a step by the wall clock, in the modes that have a pace
  double settle = kAny;     ///< pseudo-dynamic
  double average = kAny;    ///< pseudo-dynamic
  double latency = kAny;    ///< real-time: latency_steps time steps
  /// Longest time until a run begins or resumes; in continuous mode also from a target to
  /// its due time, beyond one step.
  double ahead = kAny;
};

/// Which time of the test is longer than the site takes: number, maximum, and the key of
/// the site's file. Empty: none. @pre the times make sense (refusal_of_times)
std::string refusal_of_longer(const Configure& configure, const LongestTimes& longest);

/// The same of a moment from the wire. @param what  "the run would begin in"
std::string refusal_of_moment(const std::string& what, TimePoint at, TimePoint now,
                              double longest);

}  // namespace trestle::site_node
