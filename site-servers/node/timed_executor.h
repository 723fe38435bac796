#pragma once

#include "core/ports/clock.h"
#include "site-servers/node/loop_executor.h"
#include "site-servers/node/step_executor.h"
#include "site-servers/node/timed_control_loop.h"

namespace trestle::site_node {

/// Executes steps by time: a timed control loop, seen by the node's thread, and who ticks
/// it.
class TimedExecutor final : public StepExecutor {
 public:
  /// All outlive this. @param ticker  null: the node's own thread ticks, in tick()
  TimedExecutor(const TimedLoopSettings& settings, ControlLoop& loop,
                const TimedControlLoop::MakeSequence& make_sequence, LoopExecutor* ticker,
                const Clock& clock);

  std::vector<std::string> begin() override;
  /// The loop makes it itself.
  Fault open() noexcept override { return {}; }
  bool execute(const StepCommand& command, const StepTimes& times) noexcept override;
  bool keep(const StepCommand& command, const StepTimes& times) noexcept override;
  void execute_kept() noexcept override { timed_.mailbox().push_kept_step(); }
  bool order(const LoopCommand& command) noexcept override;
  TimePoint tick(TimePoint now) noexcept override { return ticker_.tick(now); }

  const LoopEvent* front_event() const noexcept override {
    return timed_.mailbox().front_event();
  }
  void pop_event() noexcept override { timed_.mailbox().pop_event(); }
  TimePoint events_due(TimePoint now) const noexcept override;
  bool take_state(int place, std::vector<double>& into) override {
    return timed_.mailbox().states().take(place, into);
  }

  void message_received(TimePoint now) noexcept override {
    timed_.mailbox().message_received(now);
  }
  bool watchdog_expired() const noexcept override {
    return timed_.mailbox().watchdog_expired();
  }
  bool at_rest() const noexcept override { return timed_.mailbox().at_rest(); }
  RigMotion motion() const noexcept override;
  LoopHealth* health() noexcept override { return timed_.health(); }

  bool finish(Duration at_most) noexcept override;
  void fill(Stopped& stopped) const noexcept override;

 private:
  ControlLoop& loop_;
  StallGuard* guard_;
  TimedControlLoop timed_;
  InlineExecutor own_;
  bool on_this_thread_;
  LoopExecutor& ticker_;
  bool begun_ = false;
};

}  // namespace trestle::site_node
