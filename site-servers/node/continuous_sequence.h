#pragma once

#include "site-servers/node/step_sequence.h"
#include "site-servers/trajectory/trajectory_generator.h"

namespace trestle::site_node {

/// Continuous: a tick always, and a step from when its target comes until it is due.
class ContinuousSequence final : public StepSequence {
 public:
  /// @param motion  that of the loop
  ContinuousSequence(const Parts& parts, const trajectory::TrajectoryGenerator& motion)
      : parts_(parts), motion_(motion) {}

  Fault tick(TimePoint now) noexcept override;
  bool is_idle() const noexcept override { return false; }
  bool hold(bool running) noexcept override;
  void give_up() noexcept override {}
  void resume(std::int64_t first, TimePoint now) noexcept override;
  void skip_late_ticks(TimePoint /*now*/) noexcept override {}
  void place_next_tick(TimePoint now) noexcept override;
  TimePoint response_expected_at() const noexcept override;

 private:
  Parts parts_;
  const trajectory::TrajectoryGenerator& motion_;
};

}  // namespace trestle::site_node
