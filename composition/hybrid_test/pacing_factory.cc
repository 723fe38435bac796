#include "composition/hybrid_test/pacing_factory.h"

#include <cmath>

#include "composition/hybrid_test/hybrid_test_factory.h"
#include "composition/numerical/integrator_factory.h"

namespace trestle::composition {
namespace {

Duration to_duration(double in_seconds) {
  return Duration{std::llround(in_seconds * 1e9)};
}

bool any_remote(const config::Test& test) {
  for (const config::Site& site : test.sites())
    if (is_remote(site)) return true;
  return false;
}

}  // namespace

ExecutionMode mode_of(const config::Test& test) {
  switch (test.mode()) {
    case config::PSEUDO_DYNAMIC:
      return ExecutionMode::kPseudoDynamic;
    case config::CONTINUOUS:
      return ExecutionMode::kContinuous;
    case config::REAL_TIME:
      return ExecutionMode::kRealTime;
    default:
      return ExecutionMode::kSimulated;
  }
}

PacingSettings make_pacing(const config::Test& test) {
  PacingSettings pace;
  const ExecutionMode mode = mode_of(test);
  // The undivided structure waits for no site.
  pace.virtual_clock =
      test.undivided() ||
      (test.has_clock() ? test.clock() == config::VIRTUAL
                        : mode == ExecutionMode::kSimulated && !any_remote(test));
  pace.system_clock = test.clock_source() == config::SYSTEM;
  if (mode == ExecutionMode::kRealTime)
    pace.latency_steps = test.real_time().has_latency_steps()
                             ? static_cast<int>(test.real_time().latency_steps())
                             : 1;
  if (mode == ExecutionMode::kContinuous) {
    const config::Continuous& continuous = test.continuous();
    if (continuous.has_scale()) pace.scale = continuous.scale();
    if (continuous.has_order()) pace.order = static_cast<int>(continuous.order());
    if (continuous.has_slow_after()) pace.slow_down_after = continuous.slow_after();
    if (continuous.has_hold_at()) pace.hold_after = continuous.hold_at();
    pace.ramp_and_hold = continuous.ramp_and_hold();
  }
  if (mode == ExecutionMode::kPseudoDynamic) {
    const config::PseudoDynamic& ramp = test.pseudo_dynamic();
    if (ramp.has_rate()) pace.rate = ramp.rate();
    if (ramp.has_rotation_rate()) pace.rotation_rate = ramp.rotation_rate();
    if (ramp.has_settle()) pace.settle = ramp.settle();
    if (ramp.has_average()) pace.average = ramp.average();
  }
  return pace;
}

integrator_node::MissedResponseSettings make_missed_response_settings(
    const config::Test& test) {
  const config::RealTime& real_time = test.real_time();
  integrator_node::MissedResponseSettings misses;
  if (real_time.has_deadline()) misses.deadline = real_time.deadline();
  misses.stop = real_time.on_miss() == config::STOP;
  if (real_time.has_order()) misses.order = static_cast<int>(real_time.order());
  if (real_time.has_most_in_a_row())
    misses.max_consecutive = static_cast<int>(real_time.most_in_a_row());
  if (real_time.has_most_in_window())
    misses.max_in_window = static_cast<int>(real_time.most_in_window());
  if (real_time.has_window()) misses.window = to_duration(real_time.window());
  return misses;
}

Duration clock_bound_of(const config::Test& test) {
  if (test.has_clock_bound()) return to_duration(test.clock_bound());
  const bool real_time = mode_of(test) == ExecutionMode::kRealTime;
  return real_time ? to_duration(0.25 * command_step(test)) : Duration::zero();
}

site_node::ControlThreadSettings control_thread_of(const config::ControlThread& thread) {
  site_node::ControlThreadSettings settings;
  if (thread.has_priority()) settings.priority = static_cast<int>(thread.priority());
  settings.spin = to_duration(thread.spin());
  if (thread.has_cpu()) settings.cpu = static_cast<int>(thread.cpu());
  return settings;
}

Duration overrun_threshold(const config::ControlThread& thread) {
  return thread.has_overrun() ? to_duration(thread.overrun()) : Duration::zero();
}

std::int64_t most_overruns_of(const config::ControlThread& thread) {
  return thread.has_most_overruns() ? thread.most_overruns() : 20;
}

void check_pace(const config::Test& test, std::vector<SettingIssue>& problems) {
  const PacingSettings pace = make_pacing(test);
  const ExecutionMode mode = mode_of(test);
  if (pace.virtual_clock && any_remote(test) && !test.undivided() && test.has_clock())
    problems.push_back({"clock",
                        "the virtual clock drives this process alone, but some sites are "
                        "elsewhere; simulate them here or take `clock: wall`"});
  if (mode == ExecutionMode::kRealTime && pace.latency_steps == 0 &&
      (any_remote(test) || !pace.virtual_clock))
    problems.push_back(
        {"real_time.latency_steps",
         "0 leaves no time for an answer to come; it needs all sites in this "
         "process and `clock: virtual`, else 1 or more"});
  if (mode == ExecutionMode::kRealTime && pace.latency_steps > 0 && !test.undivided() &&
      commands_per_step(test.numerical().integrator()) > 1)
    problems.push_back(
        {"numerical.integrator",
         "sites: each-iteration needs each answer before the next command, and in real "
         "time with latency_steps: " +
             std::to_string(pace.latency_steps) +
             " it comes later: another method. Take sites: once, another mode, or "
             "latency_steps: 0 with all sites in this process and `clock: virtual`"});
  if (pace.hold_after <= pace.slow_down_after)
    problems.push_back({"continuous.hold_at", "hold_at is " +
                                                  std::to_string(pace.hold_after) +
                                                  "; must be above slow_after, " +
                                                  std::to_string(pace.slow_down_after)});
}

}  // namespace trestle::composition
