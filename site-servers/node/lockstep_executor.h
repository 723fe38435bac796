#pragma once

#include "core/base/snapshot.h"
#include "core/ports/clock.h"
#include "site-servers/node/step_executor.h"

namespace trestle::site_node {

struct LockstepSettings {
  double tick = 0.0;        ///< control tick δt [s], > 0
  std::int64_t ticks = 0;   ///< of the session, closed before
  bool real = false;        ///< equipment: never but after a timed session has ended
  bool keeps_state = true;  ///< the node saves it after each step
};

/// Executes a step in one call, with ticks in simulated time. The return to the safe
/// position and a safe action run a few ticks per call, so that the node reads messages
/// between two calls.
class LockstepExecutor final : public StepExecutor {
 public:
  /// All outlive this. @param rig  that of the loop
  LockstepExecutor(const LockstepSettings& settings, ControlLoop& loop, SiteAdapter& rig,
                   const Clock& clock);

  std::vector<std::string> begin() override { return {}; }
  Fault open() noexcept override;
  bool execute(const StepCommand& command, const StepTimes& times) noexcept override;
  /// Has no room: a step of lock-step is over when execute() returns.
  bool keep(const StepCommand& /*command*/, const StepTimes& /*times*/) noexcept override {
    return false;
  }
  void execute_kept() noexcept override {}
  bool order(const LoopCommand& command) noexcept override;
  TimePoint tick(TimePoint now) noexcept override;

  const LoopEvent* front_event() const noexcept override {
    return has_event_ ? &event_ : nullptr;
  }
  void pop_event() noexcept override { has_event_ = false; }
  TimePoint events_due(TimePoint /*now*/) const noexcept override {
    return TimePoint::max();
  }
  bool take_state(int place, std::vector<double>& into) override;

  void message_received(TimePoint /*now*/) noexcept override {}
  bool watchdog_expired() const noexcept override { return false; }
  bool at_rest() const noexcept override { return loop_.safe(); }
  RigMotion motion() const noexcept override {
    return loop_.safe() ? RigMotion::kHolds : RigMotion::kMoves;
  }
  LoopHealth* health() noexcept override { return nullptr; }

  bool finish(Duration /*at_most*/) noexcept override { return true; }
  void fill(Stopped& stopped) const noexcept override { stopped.ticks = ticks_; }

 private:
  Fault run_step() noexcept;
  void write_state();
  void hold() noexcept;
  void clear(const LoopCommand& command) noexcept;
  void ramp() noexcept;
  void tell(LoopEvent::Kind kind, const Fault& fault = {}) noexcept;
  TimePoint tick_time() const noexcept;

  LockstepSettings settings_;
  ControlLoop& loop_;
  SiteAdapter& rig_;
  const Clock& clock_;
  std::int64_t ticks_;  // closed: without the one that met a fault, and the last of a ramp
  bool ramping_ = false;
  LoopEvent event_;
  bool has_event_ = false;
  SnapshotWriter snapshot_;
};

}  // namespace trestle::site_node
