#pragma once

#include <limits>
#include <optional>
#include <string>

#include "core/types/interface_layout.h"
#include "observe/live/limit_usage.h"

namespace trestle::live {

/// One actuator of a running or finished test, as an observer sees it. A value that is not
/// known is NaN.
struct ActuatorView {
  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

  std::string site;
  std::string name;
  DofKind kind = DofKind::kTranslation;
  double target = kUnknown;    ///< of the last completed step [m | rad]
  double measured = kUnknown;  ///< [m | rad]
  double force = kUnknown;     ///< [N | N·m]
  double delay = kUnknown;     ///< over the last seconds; positive: late [s]
  double error = kUnknown;     ///< rms of measured − target over rms of target, the same
  /// How much later it may get before the loop turns unstable, as computed before the test;
  /// negative: it is later than that [s].
  double margin = kUnknown;
  /// Work of the force over the measured motion since the first step; unknown unless all
  /// steps were read. Of whole loops what the specimen dissipated [J].
  double energy = kUnknown;
  /// The highest use of each limit since the look before; NaN if the rows do not
  /// tell it: of every limit before the first row and behind one without all values.
  LimitUsage::Uses used;
  /// Only one row per step is known: rate, acceleration and energy error are lower bounds.
  bool per_step = false;

  /// The limit with the highest use; nothing if no limit is set, or nothing has moved.
  std::optional<LimitKind> nearest() const noexcept;
  /// Whether the rows tell the use of a limit that is set; true if none is set.
  bool is_use_known() const noexcept;
  const UsedLimit& use(LimitKind limit) const noexcept {
    return used[static_cast<std::size_t>(limit)];
  }
};

}  // namespace trestle::live
