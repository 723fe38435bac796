// The part of SiteNode that runs a test with a pace: through a PacedLoop.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/session/fault_sentence.h"
#include "site-servers/node/site_node.h"
#include "site-servers/trajectory/continuous_motion.h"
#include "site-servers/trajectory/ramp_motion.h"
#include "site-servers/trajectory/step_interpolation.h"

namespace trestle {
namespace {

// The loop is told of the clocks' comparison so often.
constexpr Duration kClocksEvery = std::chrono::milliseconds(100);
// Looks for an answer that is due, so far apart: what a thread's sleep costs anyway.
constexpr Duration kSoonest = std::chrono::microseconds(20);
// Looks for news of which nobody knows when they come, and at least so often.
constexpr Duration kLatest = std::chrono::milliseconds(2);
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
  end_paced_loop();
  const bool watching = !guard_->end();
  if (!hung_ && !watching) return;
  // A thread is in there still, and may come back: what it uses is kept for ever.
  static auto* const kept = new std::vector<const void*>;
  for (const void* each : {static_cast<const void*>(guard_.release()),
                           static_cast<const void*>(paced_.release()),
                           static_cast<const void*>(checks_.release()),
                           static_cast<const void*>(loop_.release()),
                           static_cast<const void*>(settings_.driver.release()),
                           static_cast<const void*>(settings_.loading_frame.release())})
    kept->push_back(each);
}

LoopDriver& SiteNode::driver() const noexcept {
  return settings_.driver != nullptr ? *settings_.driver : *own_driver_;
}

/// Control tick δt of the wall [s].
double SiteNode::tick_length() const noexcept {
  const double scale = mode_ == Mode::kContinuous ? configure_.pace.scale : 1.0;
  return configure_.time_step * scale / configure_.ticks_per_step;
}

std::unique_ptr<StepMotion> SiteNode::make_motion() const {
  const Pace& pace = configure_.pace;
  const double tick = tick_length();
  if (mode_ == Mode::kPseudoDynamic)
    return std::make_unique<RampMotion>(layout_,
                                        RampSettings{.tick = tick,
                                                     .rate = pace.rate,
                                                     .rotation_rate = pace.rotation_rate,
                                                     .settle = pace.settle,
                                                     .average = pace.average});
  if (mode_ == Mode::kContinuous)
    return std::make_unique<ContinuousMotion>(
        layout_, ContinuousSettings{.tick = tick,
                                    .ticks_per_step = configure_.ticks_per_step,
                                    .scale = pace.scale,
                                    .order = pace.order,
                                    .slow_after = pace.slow_after,
                                    .hold_at = pace.hold_at,
                                    .ramp_and_hold = pace.ramp_and_hold});
  if (mode_ == Mode::kRealTime)
    return std::make_unique<StepInterpolation>(layout_, configure_.time_step,
                                               configure_.ticks_per_step);
  return nullptr;
}

/// A control cycle that takes longer has stalled.
Duration SiteNode::stall() const noexcept {
  if (settings_.stall > Duration::zero()) return settings_.stall;
  if (!rig_.real_equipment) return kStallOfSimulated;
  return std::max<Duration>(kStall,
                            Duration{std::llround(kStallTicks * tick_length() * 1e9)});
}

void SiteNode::make_paced_loop() {
  if (settings_.driver == nullptr) own_driver_ = std::make_unique<InlineDriver>();
  const Duration tick{std::llround(tick_length() * 1e9)};
  const PacedLoopSettings settings{
      .mode = mode_,
      .tick = tick_length(),
      .ticks_per_step = configure_.ticks_per_step,
      .latency_steps = configure_.pace.latency_steps,
      .steps = configure_.steps_planned,
      .watchdog = Duration{std::llround(configure_.watchdog * 1e9)},
      .overrun = settings_.overrun > Duration::zero() ? settings_.overrun : tick,
      // What came too late breaks nothing where the rig is simulated: it is counted.
      .most_overruns = rig_.real_equipment ? settings_.most_overruns
                                           : std::numeric_limits<std::int64_t>::max(),
      .leaves_on_silence = settings_.safe_action.kind != SafeAction::Kind::kHold,
      .idle_ticks = rig_.real_equipment,
      .keeps_state = record_.keeps_state(),
      .rig = rig_.real_equipment ? nullptr : &adapter_,
      .guard = guard_.get()};
  if (timed()) guard_->watch(stall(), !rig_.real_equipment);
  paced_ = std::make_unique<PacedLoop>(settings, *loop_, clock_);
  taken_step_ = kOpeningStep;
  pace_account_ = {};
  events_of_pace_ = 0;
  missed_.clear();
  missed_.reserve(kMissedAtOnce);
}

/// Takes its time: begun while nobody waits for a tick.
void SiteNode::start_driver() {
  if (driven_) return;
  driven_ = true;
  driver().begin(*paced_);
  for (const std::string& sentence : driver().notes())
    record_.event(last_step_, "host", sentence);
}

void SiteNode::end_paced_loop() {
  if (!paced()) return;
  // One that is known to hang is not waited for.
  const bool hangs = hung_ || guard_->hangs();
  hung_ = !driver().end(hangs ? Duration::zero() : LoopDriver::kPatience);
  pace_account_ = paced_->account();
  ticks_ = loop_->ticks();
  if (hung_) return;  // kept until it comes back
  driven_ = false;
  checks_.reset();
  stood_ = loop_->in_force();
  guard_->cycle_done(TimePoint::max());
  paced_.reset();
  if (pace_account_.overruns == 0) return;
  char longest[40];
  std::snprintf(longest, sizeof longest, "%.3g ms", 1e3 * seconds(pace_account_.wake_max));
  record_.event(last_step_, "host",
                std::to_string(pace_account_.overruns) +
                    " control ticks came too late, one of them by " + longest +
                    "; see what `trestle doctor` says of this host");
}

/// A step that nothing speaks against.
void SiteNode::give(const StepCommand& command) {
  const Fault no_journal{FaultKind::kJournal, -1, 0.0, 0.0};
  if (record_.failed()) return trip(no_journal, record_.failure());
  if (const Fault fault = loop_->refusal_of(command))
    return refuse_target(fault, command.step);
  if ((command.feedforward_target.displacement.size() != 0 ||
       command.command_feedforward.size() != 0) &&
      mode_ != Mode::kRealTime)
    return refuse("feed-forward came, which mode " + configure_.mode + " does not know");
  LoopOrder step;
  step.kind = LoopOrder::Kind::kStep;
  step.command = command;
  step.received = received_;
  step.at = book_.to_own(sane(session_zero_) + sane(command.due).time_since_epoch());
  if (mode_ == Mode::kContinuous && book_.known()) {
    const Duration one{std::llround(tick_length() * configure_.ticks_per_step * 1e9)};
    if (const std::string why = refusal_of_moment(
            "step " + std::to_string(command.step) + " would be reached in", step.at,
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
  if (mode_ == Mode::kPseudoDynamic) {
    // Nothing moves for it before the intent is safe.
    ticket_ = record_.secure();
    unsure_order_ = step;
    waits_for_record();
  } else if (!paced_->order(step)) {
    taken_step_ = command.step - 1;
    refuse("step " + std::to_string(command.step) +
           " came, and the control loop has many before it");
  }
}

void SiteNode::order(LoopOrder::Kind kind, TimePoint at) {
  LoopOrder order;
  if (kind == LoopOrder::Kind::kClear) order.drive = told_drive_;
  order.first = last_step_ + 1;
  order.kind = kind;
  order.at = at;
  // Room for hundreds: a loop that has not taken those takes nothing any more.
  if (!paced_->order(order)) record_.event(last_step_, "host", "the control loop is stuck");
}

bool SiteNode::hear_news() {
  bool heard = false;
  while (paced()) {
    const LoopNews* news = paced_->news();
    if (news == nullptr) break;
    const LoopNews copy = *news;
    paced_->pop_news();
    hear(copy);
    heard = true;
  }
  if (paced()) {
    paced_->heard(heard_);
    // What came since does not set it going again.
    if (paced_->silenced() && session_.in(SessionState::kRunning)) {
      session_.move(SessionState::kHolding);
      hold_because("the integrator was silent for longer than the watchdog allows");
    }
    follow_clocks();
  }
  return heard;
}

/// The control thread reads the rig once after a fault was cleared: if the cause persists,
/// the site is in FAULT again when this returns. Waits for a read that does not come back
/// for a quarter of a second.
void SiteNode::clear_loop() {
  order(LoopOrder::Kind::kClear);
  const TimePoint end = clock_.now() + kWaitForRead;
  for (bool read = false; !read && session_.in(SessionState::kHolding);) {
    if (settings_.driver == nullptr) driver().tick(now_);
    while (paced() && paced_->news() != nullptr) {
      const LoopNews copy = *paced_->news();
      paced_->pop_news();
      read = read || copy.kind == LoopNews::Kind::kCleared;
      hear(copy);
    }
    if (settings_.driver == nullptr || guard_->stalled() || clock_.now() >= end) return;
    if (!read) std::this_thread::sleep_for(kBetweenLooks);
  }
}

void SiteNode::hear(const LoopNews& news) {
  switch (news.kind) {
    case LoopNews::Kind::kErrandOver:
      return hear_checks();
    case LoopNews::Kind::kOpened:
      return hear_opened(news);
    case LoopNews::Kind::kAnswer:
      return hear_answer(news);
    case LoopNews::Kind::kFault:
      return hear_fault(news);
    case LoopNews::Kind::kCleared:
      return;  // clear_loop() waits for it
    case LoopNews::Kind::kRefused:
      if (news.fault) return refuse_target(news.fault, news.step);
      return refuse("step " + std::to_string(news.step) +
                    " came, and the control loop has many before it");
    case LoopNews::Kind::kMissed:
      if (missed_.size() == missed_.capacity()) name_missed();
      return missed_.push_back(news.step);
    case LoopNews::Kind::kLate:
      return note("late", news.step);
    case LoopNews::Kind::kRamped:
      session_.move(SessionState::kConfigured);
      return end_session();
  }
}

void SiteNode::hear_fault(const LoopNews& news) {
  if (session_.in(SessionState::kFault)) return;
  const bool stopping = session_.in(SessionState::kStopping);
  if (news.fault.kind == FaultKind::kUnknownDrive)
    ask_for_drive(news.response.actuators.measured, news.response.actuators.command);
  trip(news.fault);
  if (stopping) bring_to_end(reason_);
}

/// Nothing is driven before it is on record.
void SiteNode::hear_opened(const LoopNews& news) {
  const bool state = paced_->take_state(news.state, state_);
  if (!std::exchange(opening_, false)) return;  // of a rig that was found again
  if (session_.in(SessionState::kArmed)) {
    session_.move(SessionState::kRunning);
    record_.event(last_step_, "state", "RUNNING");
  }
  response_ = news.response;
  response_.session = configure_.session;
  response_.stamps = {};
  if (!record_.opening(response_)) return trip({FaultKind::kJournal, -1, 0.0, 0.0});
  if (state) record_.state(kOpeningStep, state_);
  send_answer();
  if (!session_.in(SessionState::kRunning)) return;  // it was held meanwhile
  paced_->heard(now_);
  order(LoopOrder::Kind::kStart, book_.to_own(session_zero_));
}

void SiteNode::hear_answer(const LoopNews& news) {
  response_ = news.response;
  response_.session = configure_.session;
  last_step_ = response_.step;
  const bool state = paced_->take_state(news.state, state_);
  const bool kept = response_.missed ? record_.missed(response_, news.ticks)
                                     : record_.result(response_, news.ticks);
  if (state) record_.state(last_step_, state_);
  // Named when no later life of the site can execute them any more.
  name_missed();
  // What is not on record is not answered: after a restart it would be executed again.
  if (!kept || record_.failed()) return trip({FaultKind::kJournal, -1, 0.0, 0.0});
  if (mode_ == Mode::kPseudoDynamic) {
    // Nobody hears of a result that power loss could take.
    answer_ticket_ = record_.secure();
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
  return sane(session_zero_) - book_.offset(now_);
}

/// The grid of the ticks follows the integrator's clock.
void SiteNode::follow_clocks() {
  if (settings_.same_clock || !session_.in(SessionState::kRunning)) return;
  if (now_ - clocks_followed_ < kClocksEvery) return;
  clocks_followed_ = now_;
  order(LoopOrder::Kind::kClock, own_zero());
}

TimePoint SiteNode::news_due() const noexcept {
  // The node's own thread does the ticks: news are there when they are due.
  if (settings_.driver == nullptr) return TimePoint::max();
  // A fault may come at any time.
  return std::clamp(paced_->answer_expected(), now_ + kSoonest, now_ + kLatest);
}

}  // namespace trestle
