#pragma once

#include <functional>
#include <memory>

#include "site-servers/node/real_time_sequence.h"
#include "site-servers/node/step_sequence.h"
#include "site-servers/trajectory/predictor_corrector_trajectory.h"
#include "site-servers/trajectory/ramp_hold_trajectory.h"

namespace trestle::site_node {

/// How a mode of pace moves from target to target: the motion of the control loop, and the
/// sequence of the timed loop that belongs to it. Made together, because a sequence may
/// need its motion's own type.
struct TimedSteps {
  std::unique_ptr<trajectory::TrajectoryGenerator> motion;
  /// Called once, while the motion exists.
  std::function<std::unique_ptr<StepSequence>(const StepSequence::Parts&)> make_sequence;
};

/// @param layout  controlled DOFs
TimedSteps ramp_steps(const InterfaceLayout& layout,
                      const trajectory::RampSettings& settings);
TimedSteps continuous_steps(const InterfaceLayout& layout,
                            const trajectory::ContinuousSettings& settings);
/// @param time_step  [s]
TimedSteps real_time_steps(const InterfaceLayout& layout, double time_step,
                           const RealTimeSteps& steps);

}  // namespace trestle::site_node
