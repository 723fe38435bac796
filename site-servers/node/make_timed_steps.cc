#include "site-servers/node/make_timed_steps.h"

namespace trestle::site_node {

TimedSteps make_timed_steps(const AgreedTest& agreed) {
  const Configure& configure = agreed.configure;
  const PacingSettings& pace = configure.pace;
  switch (agreed.rules->mode) {
    case ExecutionMode::kSimulated:
      break;
    case ExecutionMode::kPseudoDynamic:
      return ramp_steps(agreed.layout, {.tick = agreed.tick(),
                                        .rate = pace.rate,
                                        .rotation_rate = pace.rotation_rate,
                                        .settle = pace.settle,
                                        .average = pace.average});
    case ExecutionMode::kContinuous:
      return continuous_steps(agreed.layout, {.tick = agreed.tick(),
                                              .ticks_per_step = configure.ticks_per_step,
                                              .scale = pace.scale,
                                              .order = pace.order,
                                              .slow_down_after = pace.slow_down_after,
                                              .hold_after = pace.hold_after,
                                              .ramp_and_hold = pace.ramp_and_hold});
    case ExecutionMode::kRealTime:
      return real_time_steps(agreed.layout, configure.time_step,
                             {.ticks_per_step = configure.ticks_per_step,
                              .latency_steps = pace.latency_steps,
                              .steps = configure.steps_planned});
  }
  return {};
}

}  // namespace trestle::site_node
