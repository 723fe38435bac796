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
#include "site-servers/node/lockstep_executor.h"
#include "site-servers/node/site_node.h"
#include "site-servers/node/specimen_mass.h"
#include "site-servers/node/timed_executor.h"

namespace trestle {
namespace {

// The loop is told of the clocks' comparison so often.
constexpr Duration kClocksEvery = std::chrono::milliseconds(100);
// The record names so many missed and late steps one by one; all are counted.
constexpr std::int64_t kMostEvents = 1000;
// Room for steps that the loop missed until it next answers; it tells so many at a time.
constexpr std::size_t kMissedAtOnce = 512;
// Steps that one after them came before are named up to so many at a time.
constexpr std::int64_t kMostOvertaken = 64;

// After a fault was cleared; the node hears nobody meanwhile.
constexpr Duration kWaitForRead = std::chrono::milliseconds(250);
constexpr auto kBetweenLooks = std::chrono::microseconds(200);

// Of real equipment: so long, or so many ticks where those are longer.
constexpr Duration kStall = std::chrono::milliseconds(100);
constexpr double kStallTicks = 20.0;
constexpr Duration kStallOfSimulated = std::chrono::seconds(5);

/// A time from the bus, so that it can be reckoned with: within 36 years of zero.
constexpr TimePoint sane(TimePoint time) noexcept {
  constexpr TimePoint kFarthest{Duration{std::int64_t{1} << 60}};
  return std::clamp(time, TimePoint{} - kFarthest.time_since_epoch(), kFarthest);
}

}  // namespace

SiteNode::~SiteNode() {
  finish_execution();
  const bool watching = !guard_->end();
  if (!hung_ && !watching) return;
  // A thread is in there still, and may come back: what it uses is kept for ever.
  static auto* const kept = new std::vector<const void*>;
  for (const void* each : {static_cast<const void*>(guard_.release()),
                           static_cast<const void*>(executor_.release()),
                           static_cast<const void*>(checks_.release()),
                           static_cast<const void*>(loop_.release()),
                           static_cast<const void*>(settings_.loop_executor.release()),
                           static_cast<const void*>(settings_.loading_frame.release())})
    kept->push_back(each);
}

/// The motion of lock-step is the control loop's own.
TimedSteps SiteNode::timed_steps() const {
  const PacingSettings& pace = agreed_.configure.pace;
  const double tick = agreed_.tick();
  const int ticks_per_step = agreed_.configure.ticks_per_step;
  switch (agreed_.rules->mode) {
    case ExecutionMode::kSimulated:
      break;
    case ExecutionMode::kPseudoDynamic:
      return ramp_steps(agreed_.layout, {.tick = tick,
                                         .rate = pace.rate,
                                         .rotation_rate = pace.rotation_rate,
                                         .settle = pace.settle,
                                         .average = pace.average});
    case ExecutionMode::kContinuous:
      return continuous_steps(agreed_.layout, {.tick = tick,
                                               .ticks_per_step = ticks_per_step,
                                               .scale = pace.scale,
                                               .order = pace.order,
                                               .slow_down_after = pace.slow_down_after,
                                               .hold_after = pace.hold_after,
                                               .ramp_and_hold = pace.ramp_and_hold});
    case ExecutionMode::kRealTime:
      return real_time_steps(agreed_.layout, agreed_.configure.time_step,
                             {.ticks_per_step = ticks_per_step,
                              .latency_steps = pace.latency_steps,
                              .steps = agreed_.configure.steps_planned});
  }
  return {};
}

/// A control cycle that takes longer has stalled.
Duration SiteNode::stall() const noexcept {
  if (settings_.stall > Duration::zero()) return settings_.stall;
  if (!rig_.real_equipment) return kStallOfSimulated;
  return std::max<Duration>(kStall,
                            Duration{std::llround(kStallTicks * agreed_.tick() * 1e9)});
}

TimedLoopSettings SiteNode::timed_loop_settings() noexcept {
  const Duration tick{std::llround(agreed_.tick() * 1e9)};
  return {.tick = agreed_.tick(),
          .watchdog = Duration{std::llround(agreed_.configure.watchdog * 1e9)},
          .overrun = settings_.overrun > Duration::zero() ? settings_.overrun : tick,
          // What came too late breaks nothing where the rig is simulated: it is counted.
          .most_overruns = rig_.real_equipment ? settings_.most_overruns
                                               : std::numeric_limits<std::int64_t>::max(),
          .leaves_on_silence = settings_.safe_action.kind != SafeAction::Kind::kHold,
          .idle_ticks = rig_.real_equipment,
          .keeps_state = record_.keeps_state(),
          .rig = rig_.real_equipment ? nullptr : &adapter_,
          .guard = guard_.get()};
}

/// Makes motion and sequence of the mode, the control loop, and who executes its steps.
void SiteNode::make_loop() {
  TimedSteps steps = timed_steps();
  const ControlLoopSettings settings{
      .layout = agreed_.layout,
      .time_step = agreed_.tick() * agreed_.configure.ticks_per_step,
      .ticks_per_step = agreed_.configure.ticks_per_step,
      .limits = agreed_.configured.limits,
      .record_every = settings_.record_every,
      .safe_action = settings_.safe_action,
      .drives = record_.drives(),
      .specimen_mass = square(agreed_.configure.specimen_mass),
      .inertia_measured = agreed_.configure.inertia_measured};
  loop_ = std::make_unique<ControlLoop>(settings, *settings_.loading_frame,
                                        std::move(compensator_), std::move(controller_),
                                        adapter_, record_.ticks(), std::move(steps.motion));
  if (rig_.real_equipment && stood_) loop_->stood(*stood_);
  settings_.earlier.drive.reset();  // from here on the loop knows
  unfinished_ = true;
  pace_account_ = {};
  events_of_pace_ = 0;
  missed_.clear();
  missed_.reserve(kMissedAtOnce);
  taken_step_ = kInitialStep;
  if (!agreed_.rules->timed_loop) return use_lockstep();
  if (timed()) guard_->watch(stall(), !rig_.real_equipment);
  executor_ =
      std::make_unique<TimedExecutor>(timed_loop_settings(), *loop_, steps.make_sequence,
                                      settings_.loop_executor.get(), clock_);
}

/// The node's own thread alone moves the rig.
void SiteNode::use_lockstep() {
  const LockstepSettings settings{.tick = agreed_.tick(),
                                  .ticks = ticks_,
                                  .real = rig_.real_equipment,
                                  .keeps_state = record_.keeps_state()};
  executor_ = std::make_unique<LockstepExecutor>(settings, *loop_, adapter_, clock_);
}

void SiteNode::drop_loop() noexcept {
  executor_.reset();
  loop_.reset();
  unfinished_ = false;
}

/// Takes its time: begun while nobody waits for a tick.
void SiteNode::begin_execution() {
  for (const std::string& sentence : executor_->begin())
    record_.event(last_step_, "host", sentence);
}

void SiteNode::finish_execution() {
  if (!unfinished_) return;
  // One that is known to hang is not waited for.
  const bool hangs = hung_ || guard_->hangs();
  hung_ = !executor_->finish(hangs ? Duration::zero() : LoopExecutor::kPatience);
  Stopped done;
  executor_->fill(done);
  pace_account_ = done.pace;
  ticks_ = done.ticks;
  if (hung_) return;  // kept until it comes back
  unfinished_ = false;
  checks_.reset();
  stood_ = loop_->in_force();
  if (agreed_.rules->timed_loop) use_lockstep();
  if (pace_account_.overruns == 0) return;
  char longest[40];
  std::snprintf(longest, sizeof longest, "%.3g ms",
                1e3 * seconds(pace_account_.wakeup_latency_max));
  record_.event(last_step_, "host",
                std::to_string(pace_account_.overruns) +
                    " control ticks came too late, one of them by " + longest +
                    "; see what `trestle doctor` says of this host");
}

/// A step that nothing speaks against.
void SiteNode::give(const StepCommand& command) {
  const Fault no_journal{FaultKind::kJournal, -1, 0.0, 0.0};
  if (record_.failed()) return trip(no_journal, record_.error_message());
  StepTimes times{.received = peer_.received_at(), .started = clock_.now(), .due = {}};
  if (const Fault fault = loop_->refusal_of(command))
    return refuse_target(fault, command.step);
  if ((command.feedforward_target.displacement.size() != 0 ||
       command.command_feedforward.size() != 0) &&
      !agreed_.rules->feedforward)
    return refuse("feed-forward came, which mode " + agreed_.configure.mode +
                  " does not know");
  times.due =
      peer_.comparison().to_own(sane(session_zero_) + sane(command.due).time_since_epoch());
  const bool aims_at_due = agreed_.rules->by_time && !agreed_.rules->skips_steps;
  if (aims_at_due && peer_.comparison().known()) {
    const Duration one{
        std::llround(agreed_.tick() * agreed_.configure.ticks_per_step * 1e9)};
    if (const std::string why = refusal_of_moment(
            "step " + std::to_string(command.step) + " would be reached in", times.due,
            now_ + one, settings_.longest.ahead);
        !why.empty())
      return refuse(why);
  }
  // In the record at once: each is also missed, but not before it is due. Before the
  // intent: a site that is killed in between leaves no gap that nobody explains.
  const std::int64_t told = std::min(command.step, taken_step_ + 1 + kMostOvertaken);
  for (std::int64_t passed = taken_step_ + 1; passed < told; ++passed)
    note("overtaken", passed);
  if (!record_.intent(command)) return trip(no_journal);
  taken_step_ = command.step;
  if (!agreed_.rules->durable_targets) return execute(command, times);
  // Nothing moves for it before the intent is safe.
  ticket_ = record_.request_sync();
  unsure_order_ = StepCommandItem{.command = command, .times = times};
  waits_for_record();
}

void SiteNode::execute(const StepCommand& command, const StepTimes& times) {
  if (!executor_->execute(command, times)) {
    taken_step_ = command.step - 1;
    return refuse("step " + std::to_string(command.step) +
                  " came, and the control loop has many before it");
  }
  if (agreed_.rules->timed_loop) return;
  hear_events();
  taken_step_ = last_step_;  // it is over, however it went
}

void SiteNode::order(LoopCommand::Kind kind, TimePoint at) {
  LoopCommand order;
  if (kind == LoopCommand::Kind::kClear) order.drive = told_drive_;
  order.first = last_step_ + 1;
  order.kind = kind;
  order.at = at;
  // Room for hundreds: a loop that has not taken those takes nothing any more.
  if (!executor_->order(order))
    record_.event(last_step_, "host", "the control loop is stuck");
}

bool SiteNode::hear_events() {
  bool heard = false;
  for (; executor_ != nullptr && executor_->front_event() != nullptr; heard = true)
    hear_front();
  return heard;
}

bool SiteNode::process_loop_events() {
  const bool heard = hear_events();
  if (executor_ == nullptr || !unfinished_) return heard;
  executor_->message_received(peer_.heard_at());
  // What came since does not set it going again.
  if (executor_->watchdog_expired() && session_.in(SessionState::kRunning)) {
    session_.move(SessionState::kHolding);
    hold_because("the integrator was silent for longer than the watchdog allows");
  }
  follow_clocks();
  return heard;
}

/// The rig is read once after a fault was cleared, in the modes that have a pace by the
/// control thread: if the cause persists, the site is in FAULT again when this returns.
/// Waits for a read that does not come back for a quarter of a second.
void SiteNode::clear_loop_fault() {
  order(LoopCommand::Kind::kClear);
  const TimePoint end = clock_.now() + kWaitForRead;
  for (bool ticked = false;;) {
    while (executor_ != nullptr && executor_->front_event() != nullptr)
      if (hear_front() == LoopEvent::Kind::kCleared) return;
    if (!session_.in(SessionState::kHolding)) return;
    if (settings_.loop_executor == nullptr) {
      if (std::exchange(ticked, true)) return;
      executor_->tick(now_);
    } else {
      if (guard_->stalled() || clock_.now() >= end) return;
      std::this_thread::sleep_for(kBetweenLooks);
    }
  }
}

/// Follows the oldest event. Its place is free again before anything else is done: the loop
/// may be gone then. @returns what it was
LoopEvent::Kind SiteNode::hear_front() {
  const LoopEvent& event = *executor_->front_event();
  const LoopEvent::Kind kind = event.kind;
  const Fault fault = event.fault;
  const std::int64_t step = event.step;
  const std::int64_t ticks = event.ticks;
  const int state = event.state;
  if (kind == LoopEvent::Kind::kAnswer || (kind == LoopEvent::Kind::kOpened && opening_))
    response_ = event.response;
  if (fault.kind == FaultKind::kUnknownDrive && !session_.in(SessionState::kFault))
    ask_for_drive(event.response.actuators.measured, event.response.actuators.command);
  executor_->pop_event();
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
  const bool state = executor_->take_state(place, state_);
  if (!std::exchange(opening_, false)) return;  // of a rig that was found again
  if (session_.in(SessionState::kArmed)) {
    session_.move(SessionState::kRunning);
    record_.event(last_step_, "state", "RUNNING");
  }
  response_.session = agreed_.configure.session;
  response_.stamps = {};
  if (!record_.opening(response_)) return trip({FaultKind::kJournal, -1, 0.0, 0.0});
  if (state) record_.state(kInitialStep, state_);
  send_answer();
  if (!session_.in(SessionState::kRunning)) return;  // it was held meanwhile
  executor_->message_received(now_);
  order(LoopCommand::Kind::kStart, peer_.comparison().to_own(session_zero_));
}

void SiteNode::hear_answer(std::int64_t ticks, int place) {
  response_.session = agreed_.configure.session;
  last_step_ = response_.step;
  const bool state = executor_->take_state(place, state_);
  const bool kept = response_.missed ? record_.missed(response_, ticks)
                                     : record_.result(response_, ticks);
  if (state) record_.state(last_step_, state_);
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

/// Session time zero on this clock, as the two are compared now: far back the comparison
/// says little.
TimePoint SiteNode::own_zero() const noexcept {
  return sane(session_zero_) - peer_.comparison().offset(now_);
}

/// The grid of the ticks follows the integrator's clock.
void SiteNode::follow_clocks() {
  if (settings_.shares_clock || !session_.in(SessionState::kRunning)) return;
  if (now_ - clocks_followed_ < kClocksEvery) return;
  clocks_followed_ = now_;
  order(LoopCommand::Kind::kClock, own_zero());
}

}  // namespace trestle
