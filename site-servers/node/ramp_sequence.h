#pragma once

#include "site-servers/node/step_sequence.h"

namespace trestle::site_node {

/// Pseudo-dynamic: a step takes as long as its ramp, and the rig rests until the next one.
class RampSequence final : public StepSequence {
 public:
  explicit RampSequence(const Parts& parts) : parts_(parts) {}

  Fault tick(TimePoint now) noexcept override;
  bool is_idle() const noexcept override;
  /// Time stops for a step on a simulated rig: it continues where it was.
  bool hold(bool running) noexcept override;
  void give_up() noexcept override {}
  void resume(std::int64_t first, TimePoint now) noexcept override;
  void skip_late_ticks(TimePoint /*now*/) noexcept override {}
  void place_next_tick(TimePoint now) noexcept override;
  TimePoint response_expected_at() const noexcept override;

 private:
  Parts parts_;
};

}  // namespace trestle::site_node
