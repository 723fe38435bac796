#include "site-servers/node/timed_steps.h"

#include <utility>

#include "site-servers/node/continuous_sequence.h"
#include "site-servers/node/ramp_sequence.h"

namespace trestle::site_node {

TimedSteps ramp_steps(const InterfaceLayout& layout,
                      const trajectory::RampSettings& settings) {
  return {std::make_unique<trajectory::RampHoldTrajectory>(layout, settings),
          [](const StepSequence::Parts& parts) {
            return std::make_unique<RampSequence>(parts);
          }};
}

TimedSteps continuous_steps(const InterfaceLayout& layout,
                            const trajectory::ContinuousSettings& settings) {
  auto motion =
      std::make_unique<trajectory::PredictorCorrectorTrajectory>(layout, settings);
  const auto& seen = *motion;
  return {std::move(motion), [&seen](const StepSequence::Parts& parts) {
            return std::make_unique<ContinuousSequence>(parts, seen);
          }};
}

TimedSteps real_time_steps(const InterfaceLayout& layout, double time_step,
                           const RealTimeSteps& steps) {
  auto motion = std::make_unique<trajectory::InterpolatedTrajectory>(layout, time_step,
                                                                     steps.ticks_per_step);
  trajectory::InterpolatedTrajectory& led = *motion;
  return {std::move(motion), [&led, steps](const StepSequence::Parts& parts) {
            return std::make_unique<RealTimeSequence>(parts, led, steps);
          }};
}

}  // namespace trestle::site_node
