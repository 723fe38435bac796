#include "observe/live/actuator_view.h"

#include <cmath>

namespace trestle::live {

std::optional<LimitKind> ActuatorView::nearest() const noexcept {
  std::optional<LimitKind> found;
  double highest = 0.0;
  for (std::size_t at = 0; at < kLimitKinds; ++at) {
    // A NaN compares false.
    if (!(used[at].ratio() > highest)) continue;
    highest = used[at].ratio();
    found = static_cast<LimitKind>(at);
  }
  return found;
}

bool ActuatorView::is_use_known() const noexcept {
  bool any_limit = false;
  for (const UsedLimit& each : used) {
    if (!std::isfinite(each.limit)) continue;
    if (std::isfinite(each.value)) return true;
    any_limit = true;
  }
  return !any_limit;
}

}  // namespace trestle::live
