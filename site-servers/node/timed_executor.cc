#include "site-servers/node/timed_executor.h"

#include <algorithm>

namespace trestle::site_node {
namespace {

// Looks for an answer that is due, so far apart: what a thread's sleep costs anyway.
constexpr Duration kSoonest = std::chrono::microseconds(20);
// Longest interval between two checks for events that come at an unknown time.
constexpr Duration kLatest = std::chrono::milliseconds(2);
// An answer that is overdue by this may never come: the loop hangs in its driver.
constexpr Duration kLongOverdue = std::chrono::milliseconds(20);

}  // namespace

TimedExecutor::TimedExecutor(const TimedLoopSettings& settings, ControlLoop& loop,
                             const TimedControlLoop::MakeSequence& make_sequence,
                             LoopExecutor* ticker, const Clock& clock)
    : loop_(loop),
      guard_(settings.guard),
      timed_(settings, loop, make_sequence, clock),
      on_this_thread_(ticker == nullptr),
      ticker_(on_this_thread_ ? own_ : *ticker) {}

std::vector<std::string> TimedExecutor::begin() {
  if (begun_) return {};
  begun_ = true;
  ticker_.begin(timed_);
  return ticker_.warnings();
}

bool TimedExecutor::execute(const StepCommand& command, const StepTimes& times) noexcept {
  return timed_.mailbox().push_step(command, times);
}

bool TimedExecutor::keep(const StepCommand& command, const StepTimes& times) noexcept {
  return timed_.mailbox().keep_step(command, times);
}

bool TimedExecutor::order(const LoopCommand& command) noexcept {
  if (command.kind == LoopCommand::Kind::kResume) timed_.mailbox().reset_watchdog();
  return timed_.mailbox().push_command(command);
}

TimePoint TimedExecutor::events_due(TimePoint now) const noexcept {
  // The node's own thread does the ticks: events are there when they are due.
  if (on_this_thread_) return TimePoint::max();
  const TimePoint expected = timed_.mailbox().response_expected_at();
  // A rig that holds in the middle of a step answers it when it continues. To look for that
  // as often as for an answer that is due would take a whole processor.
  if (timed_.mailbox().holds() || now - expected > kLongOverdue) return now + kLatest;
  // A fault may come at any time.
  return std::clamp(expected, now + kSoonest, now + kLatest);
}

RigMotion TimedExecutor::motion() const noexcept {
  if (timed_.mailbox().holds()) return RigMotion::kHolds;
  return timed_.mailbox().acts_safely() ? RigMotion::kMoves : RigMotion::kAskedToHold;
}

bool TimedExecutor::finish(Duration at_most) noexcept {
  if (!ticker_.end(at_most)) return false;
  begun_ = false;
  if (guard_ != nullptr) guard_->cycle_done(TimePoint::max());
  return true;
}

void TimedExecutor::fill(Stopped& stopped) const noexcept {
  stopped.ticks = loop_.ticks();
  stopped.pace = timed_.account();
}

}  // namespace trestle::site_node
