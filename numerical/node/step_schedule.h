#pragma once

#include <cstdint>

#include "core/base/time.h"
#include "core/types/pace_rules.h"

namespace trestle::integrator_node {

/// The inputs of a test's schedule. Each mode reads its own.
struct ScheduleSettings {
  double time_step = 0.0;    ///< Δt [s], > 0
  int latency_steps = 0;     ///< L: target k holds from (k + L)·Δt
  double scale = 1.0;        ///< continuous: wall time over structure's time
  double deadline = 0.75;    ///< real time: of an answer after its read, in L·Δt
  Duration time_to_start{};  ///< that a site takes from a word of ours to its first tick
};

/// When the steps of a test begin, hold and close: what each mode of pace computes its own
/// way at the integrator. `zero` is session time zero on the integrator's clock. Called by
/// the thread of the node; neither blocks nor allocates.
class StepSchedule {
 public:
  explicit StepSchedule(const ScheduleSettings& settings) : settings_(settings) {}
  virtual ~StepSchedule() = default;

  virtual const PaceRules& rules() const noexcept = 0;

  /// Zero of a run that starts now. @param round_trip  to the slowest site
  virtual TimePoint zero_at_start(TimePoint now, Duration round_trip) const noexcept = 0;
  /// Zero of a run that continues with step `open`. @param zero  before the hold
  virtual TimePoint zero_at_resume(TimePoint now, TimePoint zero, std::int64_t open,
                                   Duration round_trip) const noexcept = 0;
  /// All sites run again. @param at  session time
  virtual void resumed(TimePoint at) noexcept = 0;

  /// Session time at which the target of the next step to be sent holds.
  /// @param at  session time. @param way  of a message to the slowest site
  virtual TimePoint due(std::int64_t step, TimePoint at, Duration way) noexcept = 0;
  /// When a step is closed without the answers that are missing; max: never.
  virtual TimePoint closes(std::int64_t step, TimePoint zero) const noexcept = 0;
  /// From when on a missing answer is silence. @param opened  when the step was
  virtual TimePoint silent_from(std::int64_t step, TimePoint zero,
                                TimePoint opened) const noexcept = 0;

  /// Returns the session time of a step that lasts Δt, in any mode.
  TimePoint session_time(std::int64_t step) const noexcept {
    return TimePoint{of_steps(static_cast<double>(step))};
  }
  /// Session time at which the target of a step holds that is sent again.
  TimePoint due_again(std::int64_t step) const noexcept {
    return session_time(step + settings_.latency_steps);
  }
  /// L: a step is closed with the answers to the one L before.
  int latency() const noexcept { return settings_.latency_steps; }

 protected:
  const ScheduleSettings& settings() const noexcept { return settings_; }
  Duration of_steps(double steps) const noexcept;

 private:
  ScheduleSettings settings_;
};

}  // namespace trestle::integrator_node
