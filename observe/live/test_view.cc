#include "observe/live/test_view.h"

namespace trestle::live {

const ActuatorView* TestView::nearest_limit() const noexcept {
  const ActuatorView* nearest = nullptr;
  double highest = 0.0;
  for (const ActuatorView& actuator : actuators) {
    const std::optional<LimitKind> limit = actuator.nearest();
    if (!limit || actuator.use(*limit).ratio() <= highest) continue;
    highest = actuator.use(*limit).ratio();
    nearest = &actuator;
  }
  return nearest;
}

}  // namespace trestle::live
