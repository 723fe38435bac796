#include "site-servers/node/step_run.h"

#include <algorithm>

namespace trestle::site_node {

StepRun::StepRun(ControlLoop& loop, LoopMailbox& mailbox, const TickGrid& grid,
                 const Clock& clock, const KeepState& keep)
    : loop_(loop), mailbox_(mailbox), grid_(grid), clock_(clock), keep_(keep) {
  // Makes the room that the control thread needs.
  if (keep_.keeps)
    for (int place = 0; place < StateExchange::kPlaces; ++place)
      write_state(mailbox_.states().snapshot(place));
}

Fault StepRun::act() noexcept {
  const Fault fault = loop_.act();
  if (is_open() && !driven_) {
    stamps_.driven = clock_.now();
    driven_ = true;
  }
  return fault;
}

bool StepRun::open(int ticks) noexcept {
  const StepCommandItem* const item = mailbox_.front_step();
  if (item == nullptr) return false;
  number_ = item->command.step;
  const Fault fault = loop_.accept(item->command, ticks);
  stamps_ = {item->times.received, clock_.now(), {}, {}};
  mailbox_.pop_step();
  driven_ = false;
  state_ = fault ? StepState::kNone : StepState::kExecuting;
  if (fault) tell(LoopEvent::Kind::kRefused, number_, fault);
  return is_open();
}

void StepRun::miss(std::int64_t step) noexcept {
  state_ = StepState::kMissed;
  driven_ = true;
  number_ = step;
  stamps_ = {};
}

void StepRun::answer(TimePoint measured_at, LoopEvent::Kind kind) noexcept {
  const bool missed = is_missed();
  state_ = StepState::kNone;
  // The last places are for faults.
  const bool has_room = kind != LoopEvent::Kind::kAnswer || mailbox_.has_room_to_spare();
  LoopEvent* const event = has_room ? mailbox_.new_event() : nullptr;
  if (event == nullptr) return;  // the answer is asked for again
  loop_.answer(event->response);
  event->kind = kind;
  event->fault = {};
  event->step = number_;
  event->response.step = number_;
  event->response.measured_at = measured_at;
  event->response.missed = missed;
  event->response.stamps = stamps_;
  event->response.stamps.closed = clock_.now();
  event->ticks = loop_.ticks();
  // If the node is late, the state of this step is not saved.
  event->state = keep_.keeps ? mailbox_.states().free() : -1;
  if (event->state >= 0) {
    write_state(mailbox_.states().snapshot(event->state));
    mailbox_.states().publish(event->state);
  }
  mailbox_.publish_event();
}

void StepRun::write_state(SnapshotWriter& into) const {
  into.clear();
  loop_.save(into);
  if (keep_.rig != nullptr) keep_.rig->save(into);
}

void StepRun::give_up() noexcept {
  state_ = StepState::kNone;
  cut_ = TickCut::kWhole;
  mailbox_.clear_steps();
}

TimePoint StepRun::expected_end() const noexcept {
  if (!is_open()) return TimePoint::max();
  return grid_.next() + grid_.ticks(loop_.chain().remaining_ticks());
}

/// Steps that were missed may be due again. A frozen step stays open.
void StepRun::begin_at(std::int64_t first) noexcept {
  if (!is_open()) number_ = first - 1;
}

bool StepRun::begin_tick() noexcept {
  cut_ = is_cut() ? TickCut::kContinued : TickCut::kWhole;
  return cut_ == TickCut::kWhole;
}

bool StepRun::cut_after_read() noexcept {
  if (cut_ == TickCut::kWhole && !has_next()) cut_ = TickCut::kAfterRead;
  return is_cut();
}

/// Events for the record only must not fill the queue: they are counted separately.
void StepRun::tell(LoopEvent::Kind kind, std::int64_t step, const Fault& fault) noexcept {
  const bool record_only =
      kind == LoopEvent::Kind::kMissed || kind == LoopEvent::Kind::kLate;
  if (record_only && !mailbox_.has_room_to_spare()) return;
  LoopEvent* const event = mailbox_.new_event();
  if (event == nullptr) return;
  event->kind = kind;
  event->step = step;
  event->fault = fault;
  event->state = -1;
  if (fault.kind == FaultKind::kUnknownDrive)
    loop_.rig().report_drive(event->response.actuators);
  mailbox_.publish_event();
}

}  // namespace trestle::site_node
