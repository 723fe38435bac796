#include "observe/live/actuator_view.h"

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

}  // namespace trestle::live
