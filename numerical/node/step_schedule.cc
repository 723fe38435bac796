#include "numerical/node/step_schedule.h"

#include <cmath>

namespace trestle::integrator_node {

Duration StepSchedule::of_steps(double steps) const noexcept {
  return Duration{std::llround(steps * settings_.time_step * 1e9)};
}

}  // namespace trestle::integrator_node
