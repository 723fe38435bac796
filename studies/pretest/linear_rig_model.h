#pragma once

#include <vector>

#include "core/math/state_space.h"

namespace trestle::pretest {

/// The actuators of a rig from tick to tick. Inputs: the drives, held over a tick. Outputs
/// at its end, for all actuators one below the other: displacement as read, displacement at
/// the specimen, velocity, acceleration.
struct LinearRigModel {
  math::DiscreteStateSpace system;

  Eigen::Index actuators() const noexcept { return system.B.cols(); }
};

/// Actuators y = H(s)·drive as adapters/simulated has them: rates of the model, or where
/// the displacement jumps with the drive backward differences.
/// @param sampled  `model` at the tick
LinearRigModel linear_actuators(const math::StateSpace& model,
                                const math::DiscreteStateSpace& sampled);

/// One actuator that is late by a pure delay, by the straight line between the drives of
/// two ticks. Without delay and with gain 1: the ideal one.
/// @param delay  >= 0 [s]
LinearRigModel delayed_actuator(double delay, double gain, double tick);

/// Returns two actuators in series: the second follows the output of the first.
LinearRigModel in_series(const LinearRigModel& first, const LinearRigModel& second);

/// Actuators that know nothing of one another.
LinearRigModel side_by_side(const std::vector<LinearRigModel>& rigs);

/// A delay in ticks as its whole part and what a line between two ticks gives to the
/// earlier one; a delay that misses whole ticks by rounding is whole.
struct FractionalDelay {
  Eigen::Index whole = 0;
  double earlier = 0.0;
};
FractionalDelay in_ticks(double delay, double tick);

}  // namespace trestle::pretest
