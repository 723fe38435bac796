#include "numerical/excitation/excitation.h"

#include <cmath>
#include <cstdio>
#include <utility>

#include "core/base/setting_error.h"

namespace trestle {

std::int64_t step_count(double duration, double time_step) {
  // A duration that is a whole number of steps but for rounding has its last step.
  const double steps = duration / time_step;
  return static_cast<std::int64_t>(std::floor(steps * (1.0 + 1e-12) + 1e-9)) + 1;
}

void require_countable_steps(double duration, double time_step) {
  const double steps = duration / time_step;
  if (steps < static_cast<double>(kMostSteps)) return;
  char text[200];
  std::snprintf(
      text, sizeof text,
      "is %.4g s, %.3g steps of %.4g s; a run has at most %lld steps. Shorten it, "
      "or lengthen time_step",
      duration, steps, time_step, static_cast<long long>(kMostSteps));
  throw SettingError("duration", text);
}

Excitation::Excitation(double time_step, std::int64_t steps, Eigen::VectorXd base_load,
                       std::vector<double> acceleration,
                       std::vector<MovingLoad> moving_loads)
    : time_step_(time_step),
      steps_(steps),
      base_load_(std::move(base_load)),
      acceleration_(std::move(acceleration)),
      moving_loads_(std::move(moving_loads)) {}

void Excitation::load(std::int64_t step, Eigen::VectorXd& load) const noexcept {
  if (step >= 0 && static_cast<std::size_t>(step) < acceleration_.size())
    load = acceleration_[static_cast<std::size_t>(step)] * base_load_;
  else
    load.setZero();
  for (const MovingLoad& moving : moving_loads_)
    moving.add(static_cast<double>(step) * time_step_, load);
}

}  // namespace trestle
