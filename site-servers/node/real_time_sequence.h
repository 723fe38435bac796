#pragma once

#include <cstdint>

#include "core/types/message.h"
#include "site-servers/node/step_sequence.h"
#include "site-servers/trajectory/interpolated_trajectory.h"

namespace trestle::site_node {

/// When the steps of real time are due.
struct RealTimeSteps {
  int ticks_per_step = 1;  ///< n
  int latency_steps = 0;   ///< L: step k is due at tick (k + L)·n
  std::int64_t steps = 0;  ///< of the run; none is due after them
};

/// Real time: a step is due at its tick. It is executed if it has arrived by then, and
/// missed otherwise. Ticks that are too late are omitted, so that the others are on time;
/// steps that would begin at one of them are missed.
class RealTimeSequence final : public StepSequence {
 public:
  /// @param motion  that of the loop
  RealTimeSequence(const Parts& parts, trajectory::InterpolatedTrajectory& motion,
                   const RealTimeSteps& steps)
      : parts_(parts), motion_(motion), steps_(steps) {}

  Fault tick(TimePoint now) noexcept override;
  bool is_idle() const noexcept override { return false; }
  bool hold(bool running) noexcept override;
  void give_up() noexcept override { left_out_ = kInitialStep; }
  void resume(std::int64_t first, TimePoint now) noexcept override;
  void skip_late_ticks(TimePoint now) noexcept override;
  void place_next_tick(TimePoint now) noexcept override;
  TimePoint response_expected_at() const noexcept override;

 private:
  void open_due_step(std::int64_t step) noexcept;
  void handle_missed_target() noexcept;
  void skip_tick() noexcept;
  void miss(std::int64_t from, std::int64_t to) noexcept;
  std::int64_t steps_due(std::int64_t tick) const noexcept;
  std::int64_t first_tick() const noexcept;

  Parts parts_;
  trajectory::InterpolatedTrajectory& motion_;
  RealTimeSteps steps_;
  std::int64_t from_ = 0;                 // no step before it is opened any more
  std::int64_t left_out_ = kInitialStep;  // a step whose first tick was; −1: none
};

}  // namespace trestle::site_node
