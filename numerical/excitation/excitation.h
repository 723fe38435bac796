#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "numerical/excitation/moving_load.h"

namespace trestle {

/// Steps from time 0 to `duration` inclusive: floor(T/Δt) + 1.
std::int64_t step_count(double duration, double time_step);

/// The most steps that one run may have: a day at 1 kHz, as every step is held in memory.
inline constexpr std::int64_t kMostSteps = 100'000'000;

/// Checks a number of steps before room for them is made.
/// @throws SettingError  at `duration`, if there are more than kMostSteps
void require_countable_steps(double duration, double time_step);

/// Everything that loads the structure from outside, at every step of one test: base motion
/// and moving loads.
class Excitation {
 public:
  /// @param base_load     load per unit of base acceleration, one entry per equation [kg]
  /// @param acceleration  of the base at each step [m/s²]; zero after its end
  Excitation(double time_step, std::int64_t steps, Eigen::VectorXd base_load,
             std::vector<double> acceleration, std::vector<MovingLoad> moving_loads);

  std::int64_t steps() const noexcept { return steps_; }

  /// p_k, the external load at k·Δt [N | N·m]. Does not allocate.
  /// @param load  of the right size; overwritten
  void load(std::int64_t step, Eigen::VectorXd& load) const noexcept;

 private:
  double time_step_;
  std::int64_t steps_;
  Eigen::VectorXd base_load_;
  std::vector<double> acceleration_;
  std::vector<MovingLoad> moving_loads_;
};

}  // namespace trestle
