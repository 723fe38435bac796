// The part of SiteNode that has steps executed.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/session/fault_text.h"
#include "site-servers/node/site_node.h"

namespace trestle {
namespace {

// The record names so many missed and late steps one by one; all are counted.
constexpr std::int64_t kMostEvents = 1000;
// Room for steps that the loop missed until it next answers; it tells so many at a time.
constexpr std::size_t kMissedAtOnce = 512;
// Steps that one after them came before are named up to so many at a time.
constexpr std::int64_t kMostOvertaken = 64;

// After a fault was cleared; the node hears nobody meanwhile.
constexpr Duration kWaitForRead = std::chrono::milliseconds(250);
constexpr auto kBetweenLooks = std::chrono::microseconds(200);

}  // namespace

SiteNode::~SiteNode() {
  loop_.end();
}

/// Makes motion and sequence of the mode, the control loop, and who executes its steps.
void SiteNode::make_loop() {
  loop_.make(std::move(compensator_), std::move(controller_));
  events_of_pace_ = 0;
  missed_.clear();
  missed_.reserve(kMissedAtOnce);
  position_.accepted = kInitialStep;
}

/// A step that nothing speaks against.
void SiteNode::give(const StepCommand& command) {
  const Fault no_journal{FaultKind::kJournal, -1, 0.0, 0.0};
  if (record_.failed()) return trip(no_journal, record_.error_message());
  StepTimes times{.received = peer_.received_at(), .started = clock_.now(), .due = {}};
  if (const Fault fault = loop_.control().refusal_of(command))
    return refuse_target(fault, command.step);
  if ((command.feedforward_target.displacement.size() != 0 ||
       command.command_feedforward.size() != 0) &&
      !agreed_.rules->feedforward)
    return notes_.refuse("feed-forward came, which mode " + agreed_.configure.mode +
                         " does not know");
  times.due = peer_.to_own(command.due);
  const bool aims_at_due = agreed_.rules->by_time && !agreed_.rules->skips_steps;
  if (aims_at_due && peer_.comparison().known()) {
    const Duration one{
        std::llround(agreed_.tick() * agreed_.configure.ticks_per_step * 1e9)};
    if (const std::string why = refusal_of_moment(
            "step " + std::to_string(command.step) + " would be reached in", times.due,
            peer_.now() + one, settings_.longest.ahead);
        !why.empty())
      return notes_.refuse(why);
  }
  // In the record at once: each is also missed, but not before it is due. Before the
  // intent: a site that is killed in between leaves no gap that nobody explains.
  const std::int64_t told = std::min(command.step, position_.accepted + 1 + kMostOvertaken);
  for (std::int64_t passed = position_.accepted + 1; passed < told; ++passed)
    note("overtaken", passed);
  if (!record_.intent(command)) return trip(no_journal);
  position_.accepted = command.step;
  if (!agreed_.rules->durable_targets) return execute(command, times);
  // Nothing moves for it before the intent is safe.
  ticket_ = record_.request_sync();
  unsure_order_ = StepCommandItem{.command = command, .times = times};
  waits_for_record();
}

void SiteNode::execute(const StepCommand& command, const StepTimes& times) {
  if (!loop_.executor()->execute(command, times)) {
    position_.accepted = command.step - 1;
    return notes_.refuse("step " + std::to_string(command.step) +
                         " came, and the control loop has many before it");
  }
  if (agreed_.rules->timed_loop) return;
  hear_events();
  position_.accepted = position_.executed;  // it is over, however it went
}

bool SiteNode::hear_events() {
  bool heard = false;
  for (; loop_.executor() != nullptr && loop_.executor()->front_event() != nullptr;
       heard = true)
    hear_front();
  return heard;
}

bool SiteNode::process_loop_events() {
  const bool heard = hear_events();
  if (loop_.executor() == nullptr || !loop_.unfinished()) return heard;
  loop_.executor()->message_received(peer_.heard_at());
  // What came since does not set it going again.
  if (loop_.executor()->watchdog_expired() && session_.in(SessionState::kRunning)) {
    session_.move(SessionState::kHolding);
    hold_because("the integrator was silent for longer than the watchdog allows");
  }
  if (session_.in(SessionState::kRunning)) loop_.follow_clocks();
  return heard;
}

/// The rig is read once after a fault was cleared, in the modes that have a pace by the
/// control thread: if the cause persists, the site is in FAULT again when this returns.
/// Waits for a read that does not come back for a quarter of a second.
void SiteNode::clear_loop_fault() {
  LoopCommand clear;
  clear.kind = LoopCommand::Kind::kClear;
  clear.first = position_.executed + 1;
  clear.drive = told_drive_;
  loop_.order(clear);
  const TimePoint end = clock_.now() + kWaitForRead;
  for (bool ticked = false;;) {
    while (loop_.executor() != nullptr && loop_.executor()->front_event() != nullptr)
      if (hear_front() == LoopEvent::Kind::kCleared) return;
    if (!session_.in(SessionState::kHolding)) return;
    if (settings_.loop_executor == nullptr) {
      if (std::exchange(ticked, true)) return;
      loop_.executor()->tick(peer_.now());
    } else {
      if (adapter_.stalled() || clock_.now() >= end) return;
      std::this_thread::sleep_for(kBetweenLooks);
    }
  }
}

/// Follows the oldest event. Its place is free again before anything else is done: the loop
/// may be gone then. @returns what it was
LoopEvent::Kind SiteNode::hear_front() {
  const LoopEvent& event = *loop_.executor()->front_event();
  const LoopEvent::Kind kind = event.kind;
  const Fault fault = event.fault;
  const std::int64_t step = event.step;
  const std::int64_t ticks = event.ticks;
  const int state = event.state;
  if (kind == LoopEvent::Kind::kAnswer || (kind == LoopEvent::Kind::kOpened && opening_))
    response_ = event.response;
  if (fault.kind == FaultKind::kUnknownDrive && !session_.in(SessionState::kFault))
    ask_for_drive(event.response.actuators.measured, event.response.actuators.command);
  loop_.executor()->pop_event();
  switch (kind) {
    case LoopEvent::Kind::kErrandOver:
      hear_checks();
      break;
    case LoopEvent::Kind::kOpened:
      hear_opened(state);
      break;
    case LoopEvent::Kind::kAnswer:
      hear_answer(ticks, state);
      break;
    case LoopEvent::Kind::kFault:
      hear_fault(fault);
      break;
    case LoopEvent::Kind::kCleared:
      break;  // clear_loop_fault() waits for it
    case LoopEvent::Kind::kRefused:
      refuse_target(fault, step);
      break;
    case LoopEvent::Kind::kMissed:
      if (missed_.size() == missed_.capacity()) name_missed();
      missed_.push_back(step);
      break;
    case LoopEvent::Kind::kLate:
      note("late", step);
      break;
    case LoopEvent::Kind::kRamped:
      session_.move(SessionState::kConfigured);
      end_session();
      break;
  }
  return kind;
}

void SiteNode::hear_fault(const Fault& fault) {
  if (session_.in(SessionState::kFault)) return;
  const bool stopping = session_.in(SessionState::kStopping);
  trip(fault);
  if (stopping) bring_to_end(reason_);
}

/// Nothing is driven before it is on record.
void SiteNode::hear_opened(int place) {
  const bool state = loop_.executor()->take_state(place, state_);
  if (!std::exchange(opening_, false)) return;  // of a rig that was found again
  if (session_.in(SessionState::kArmed)) {
    session_.move(SessionState::kRunning);
    record_.event(position_.executed, "state", "RUNNING");
  }
  response_.session = agreed_.configure.session;
  response_.stamps = {};
  if (!record_.opening(response_)) return trip({FaultKind::kJournal, -1, 0.0, 0.0});
  if (state) record_.state(kInitialStep, state_);
  send_answer();
  if (!session_.in(SessionState::kRunning)) return;  // it was held meanwhile
  loop_.executor()->message_received(peer_.now());
  loop_.order(LoopCommand::Kind::kStart, peer_.comparison().to_own(peer_.session_zero()));
}

void SiteNode::hear_answer(std::int64_t ticks, int place) {
  response_.session = agreed_.configure.session;
  position_.executed = response_.step;
  const bool state = loop_.executor()->take_state(place, state_);
  const bool kept = response_.missed ? record_.missed(response_, ticks)
                                     : record_.result(response_, ticks);
  if (state) record_.state(position_.executed, state_);
  // Named when no later life of the site can execute them any more.
  name_missed();
  // What is not on record is not answered: after a restart it would be executed again.
  const bool needs_state = agreed_.rules->answer != AnswerNeeds::kResult;
  if (!kept || (needs_state && record_.failed()))
    return trip({FaultKind::kJournal, -1, 0.0, 0.0});
  if (agreed_.rules->answer == AnswerNeeds::kDurableResult) {
    // Nobody hears of a result that power loss could take.
    answer_ticket_ = record_.request_sync();
    unsure_answer_ = true;
    waits_for_record();
  } else {
    send_answer();
  }
}

void SiteNode::note(const char* what, std::int64_t step) {
  if (events_of_pace_++ < kMostEvents)
    record_.event(step, what, "step " + std::to_string(step));
}

void SiteNode::name_missed() {
  for (const std::int64_t step : missed_) note("missed", step);
  missed_.clear();
}

}  // namespace trestle
