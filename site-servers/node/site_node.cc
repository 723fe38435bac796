#include "site-servers/node/site_node.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "core/base/setting_error.h"
#include "core/session/fault_sentence.h"
#include "site-servers/node/agreed_limits.h"

namespace trestle {
namespace {

// A flood of messages must not keep a tick from ending.
constexpr int kMessagesPerTick = 64;
// Control ticks of the ramp to the safe position in one call; between two calls messages
// are read.
constexpr int kRampTicksPerCall = 64;
// Looks so often whether the record is safe, where no virtual time waits for it.
constexpr Duration kGlance = std::chrono::microseconds(200);

/// @pre in_seconds is what refusal_of(Configure) lets through
Duration duration(double in_seconds) {
  return Duration{static_cast<std::int64_t>(in_seconds * 1e9)};
}

bool has_length(const Target& target, Eigen::Index dofs) noexcept {
  return target.displacement.size() == dofs && target.velocity.size() == dofs &&
         target.acceleration.size() == dofs;
}

}  // namespace

SiteNode::SiteNode(SiteSettings settings, SiteAdapter& adapter, Transport& transport,
                   Recorder& recorder, RecordSource* records, const Clock& clock)
    : settings_(std::move(settings)),
      guard_(std::make_unique<StallGuard>(adapter, clock, settings_.hangs)),
      adapter_(*guard_),
      transport_(transport),
      record_(recorder),
      records_(records),
      rig_(adapter.description()),
      clock_(clock),
      book_(settings_.same_clock) {
  if (settings_.control_chain == nullptr)
    throw SettingError("control_chain",
                       "no factory is set; a site makes no compensator without");
  const auto moved = static_cast<std::size_t>(settings_.loading_frame->actuators());
  if (moved != rig_.actuators.size())
    throw SettingError("loading_frame", "it moves " + std::to_string(moved) +
                                            " actuators, the rig has " +
                                            std::to_string(rig_.actuators.size()));
  look_back();
  if (settings_.latched_fault.empty()) return;
  session_.move(SessionState::kFault);
  reason_ = settings_.latched_fault;
}

TimePoint SiteNode::tick(TimePoint now) {
  now_ = now;
  bool worked = false;
  for (int n = 0; n < kMessagesPerTick && transport_.receive(incoming_); ++n) {
    worked = true;
    received_ = clock_.now();
    handle(incoming_);
  }
  watch_for_stall();
  TimePoint due = preparation_ != nullptr ? await_rig() : TimePoint::max();
  if (waits_for_record()) {
    due = now + kGlance;
    worked = worked || settings_.driver == nullptr;
  }
  if (paced()) {
    due = std::min(due, driver().tick(now));
    worked = hear_news() || worked;
  } else if (session_.in(SessionState::kStopping)) {
    ramp();
    worked = true;
  } else if (loop_ != nullptr && !loop_->safe()) {
    act_safely();
    worked = true;
  }
  if (ending_ && at_rest()) end_session();
  watch_for_silence();
  transport_.keep_peer(conversing());
  if (!leaving_) {
    tell_changes();
    speak_when_due();
  }
  tell_sums(false);
  note_wait();
  // Who leaves says no more, so that no word of its own is due.
  return worked ? now : std::min(due, leaving_ ? TimePoint::max() : next_due());
}

void SiteNode::handle(const Incoming& message) {
  if (leaving_) return;
  if (message.kind == Incoming::Kind::kMalformed)
    note_of_peer(malformed_, message.problem);  // not a sign of life
  else if (message.kind == Incoming::Kind::kStepCommand)
    on_step(message.command);
  else if (message.kind == Incoming::Kind::kSession)
    handle_session(message.session);
}

/// Only messages of the session that stands are a sign of life.
bool SiteNode::ours(const SessionId& session) noexcept {
  if (session != configure_.session || session == SessionId{}) return false;
  heard_ = now_;
  return true;
}

std::string SiteNode::refusal_of(const StepCommand& command) const {
  const auto step = [&] {
    return "step " + std::to_string(command.step);
  };
  const std::int64_t last = paced() ? taken_step_ : last_step_;
  // The modes that wait have one step at a time, up to the answer to it.
  const bool one_by_one = mode_ == Mode::kPseudoDynamic || mode_ == Mode::kContinuous;
  if (paced() && one_by_one && session_.in(SessionState::kRunning) &&
      command.step == last + 1 && (taken_step_ > last_step_ || unsure_answer_))
    return step() + " came while step " + std::to_string(taken_step_) +
           " is under way; one follows when the other is answered";
  if (!session_.in(SessionState::kRunning))
    return step() + " came while the site is " +
           std::string(trestle::name(session_.state())) +
           (reason_.empty() ? std::string() : ": " + reason_);
  // In real time a step that was lost is missed, and time goes on.
  if (mode_ == Mode::kRealTime ? command.step <= last : command.step != last + 1)
    return step() + " came; the next one is " + std::to_string(last + 1);
  if (configure_.steps_planned > 0 && command.step >= configure_.steps_planned)
    return step() + " came; the test ends with step " +
           std::to_string(configure_.steps_planned - 1);
  const auto dofs = static_cast<Eigen::Index>(controlled_dofs(layout_));
  const Eigen::Index part = command.feedforward_target.displacement.size();
  const Eigen::Index forward = command.command_feedforward.size();
  if (!has_length(command.target, dofs) || (part != 0 && part != dofs) ||
      !has_length(command.feedforward_target, part) || (forward != 0 && forward != dofs))
    return step() + " has vectors of other lengths than the " + std::to_string(dofs) +
           " controlled interface DOFs that were agreed";
  if ((part != 0 || forward != 0) && !settings_.loading_frame->linear())
    return step() +
           " brings feed-forward, which needs a linear loading frame; this site's is not";
  return {};
}

void SiteNode::on_step(const StepCommand& command) {
  if (preparation_ != nullptr) return refuse("a step came while its rig gets ready");
  if (!ours(command.session)) {
    // In a session it is a late word of another one, and nobody's business here.
    if (conversing()) return note_of_peer(ignored_, "a step of another session");
    if (session_.in(SessionState::kOffline)) return;  // restarted: the hello says so
    return refuse("a step of another session came");
  }
  book_.incoming(command.exchange, received_);
  if (command.step >= 0 && command.step == last_step_) {
    // The same again: the same bits, and no second motion. Nobody hears of a result that
    // power loss could take: it goes out when it is safe, asked for or not.
    if (answer_is_safe()) send_answer();
    return;
  }
  if (command.step >= 0 && command.step <= last_step_ && answer_from_record(command.step))
    return;
  // Whoever asks does not know that it holds, or why: the hello says what can be done about
  // that, and the fault may be told once more.
  if (session_.in(SessionState::kHolding) && can_resume()) return say_hello();
  if (session_.in(SessionState::kFault)) return say(halt_);
  // In lock-step a later one went out only after the answer to this was in; a paced loop
  // has it already.
  if (command.step >= 0 && command.step <= (paced() ? taken_step_ : last_step_)) return;
  const std::string why = refusal_of(command);
  if (!why.empty()) return refuse(why);
  if (paced())
    give(command);
  else
    execute(command);
}

/// As the last step left it.
void SiteNode::send_answer() {
  response_.exchange = book_.outgoing(clock_.now());
  transport_.send(0, response_);
  sent_ = now_;
}

void SiteNode::execute(const StepCommand& command) {
  const Fault no_journal{FaultKind::kJournal, -1, 0.0, 0.0};
  if (record_.failed()) return trip(no_journal, record_.failure());
  response_.stamps.received = received_;
  response_.stamps.started = clock_.now();
  if (const Fault fault = loop_->accept(command)) {
    if (loop_->fault()) return trip(fault);
    return refuse_target(fault, command.step);
  }
  if (!record_.intent(command)) return trip(no_journal);
  for (bool first = true; loop_->step_open(); first = false) {
    if (const Fault fault = loop_->act()) return trip(fault);
    if (first) response_.stamps.driven = clock_.now();
    ++ticks_;
    if (const Fault fault = loop_->sense(tick_time())) return trip(fault);
  }
  response_.stamps.closed = clock_.now();
  last_step_ = command.step;
  loop_->answer(response_);
  response_.session = configure_.session;
  response_.step = command.step;
  response_.measured_at = tick_time();
  const bool kept = record_.result(response_, ticks_);
  keep_state(last_step_);
  // What is not on record is not answered: after a restart it would be executed again.
  if (!kept) return trip(no_journal);
  send_answer();
}

/// Refused, not tripped: nothing has moved and nothing is latched.
void SiteNode::refuse_target(const Fault& fault, std::int64_t step) {
  refuse(refused_target_sentence(fault, layout_, actuators_) +
             own_limit_note(settings_, fault, layout_) + " at step " + std::to_string(step),
         fault);
}

void SiteNode::trip(const Fault& fault) {
  if (fault.kind == FaultKind::kUnknownDrive && asks_for_drive_)
    return trip(fault, unknown_drive_text(*asks_for_drive_, settings_.name,
                                          /*alone=*/false, actuators_));
  if (fault.kind == FaultKind::kJournal && record_.failed())
    return trip(fault, record_.failure());
  // The loop and this thread both watch for it; whoever is first, the words are the same.
  const char* const who =
      fault.kind == FaultKind::kPeerSilent ? "the integrator is silent: " : "";
  const std::string sentence = who + fault_sentence(fault, layout_, actuators_) +
                               own_limit_note(settings_, fault, layout_);
  const bool of_the_rig = fault.kind == FaultKind::kAdapter ||
                          fault.kind == FaultKind::kOverrun ||
                          fault.kind == FaultKind::kStalled;
  const std::string words = of_the_rig ? adapter_.diagnosis() : std::string();
  if (words.empty()) return trip(fault, sentence);
  trip(fault, fault.kind == FaultKind::kAdapter ? words : sentence + "; " + words);
}

void SiteNode::trip(const Fault& fault, const std::string& sentence) {
  give_up_checks();
  opening_ = false;
  if (fault.kind != FaultKind::kUnknownDrive) asks_for_drive_.reset();
  come_to_safety(fault);
  session_.move(SessionState::kFault);
  const std::int64_t step = last_step_ + 1;
  char when[80];
  std::snprintf(when, sizeof when, " at step %lld, t = %.3f s",
                static_cast<long long>(step),
                static_cast<double>(step) * configure_.time_step);
  // The question to a person ends with the command that answers it.
  reason_ = sentence + (asks_for_drive_ ? "" : when);
  record_.event(step, "fault", reason_);
  halt_ = {configure_.session, settings_.name, fault, step, reason_, {}};
  say(halt_);
}

void SiteNode::refuse(const std::string& reason, const Fault& fault) {
  note_of_peer(refused_, reason);
  say(Refusal{reason, fault});
}

/// Into the record, as far as a peer may fill it.
void SiteNode::note_of_peer(EventTally& tally, const std::string& text) {
  if (tally.add(now_, text)) record_.event(last_step_, tally.kind(), text);
}

/// Of what was counted alone. @param all  also of periods that go on: the record ends
void SiteNode::tell_sums(bool all) {
  for (EventTally* tally : {&malformed_, &ignored_, &refused_})
    if (tally->due(now_, all)) record_.event(last_step_, tally->kind(), tally->sum(now_));
}

/// The laboratory's safe action; the loop has begun it where it met the fault itself.
void SiteNode::come_to_safety(const Fault& fault) {
  if (loop_ == nullptr) return adapter_.hold();
  if (paced()) {
    LoopOrder safe;
    safe.kind = LoopOrder::Kind::kSafe;
    safe.fault = fault;
    paced_->order(safe);
    return;
  }
  loop_->bring_to_safety(fault);
}

/// In lock-step nobody else ticks.
void SiteNode::act_safely() {
  for (int n = 0; n < kRampTicksPerCall && !loop_->safe_tick(tick_time()); ++n) ++ticks_;
}

void SiteNode::stand_still() {
  if (paced()) return order(LoopOrder::Kind::kHold);
  // Between two steps a simulated rig stands still anyhow, and goes on as if nothing had
  // been.
  if (rig_.real_equipment || loop_->step_open()) loop_->hold();
  if (loop_->safe()) adapter_.hold();
}

/// @pre the session's state says already that it holds
void SiteNode::hold_because(const std::string& reason) {
  stand_still();
  reason_ = reason;
  record_.event(last_step_, "state", "HOLDING: " + reason_);
}

void SiteNode::ramp() {
  for (int n = 0; n < kRampTicksPerCall; ++n) {
    const bool there = loop_->ramp(tick_time());
    if (const Fault& fault = loop_->fault()) {
      trip(fault);
      return bring_to_end(reason_);
    }
    if (there) {
      session_.move(SessionState::kConfigured);
      return end_session();
    }
    ++ticks_;
  }
}

bool SiteNode::silent() const noexcept {
  return now_ - heard_ >= duration(configure_.watchdog);
}

void SiteNode::watch_for_silence() {
  if (!live_ || !silent()) return;
  const Fault fault{FaultKind::kPeerSilent, -1, seconds(now_ - heard_),
                    configure_.watchdog};
  const std::string why =
      "the integrator is silent: " + fault_sentence(fault, layout_, actuators_);
  if (session_.in(SessionState::kRunning)) {
    if (settings_.safe_action.kind != SafeAction::Kind::kHold) return trip(fault);
    session_.move(SessionState::kHolding);
    hold_because(why);
  } else if (session_.in(SessionState::kArmed) || session_.in(SessionState::kConfigured)) {
    // Nothing has moved yet: the test is given up, and the next one may come.
    if (session_.in(SessionState::kArmed)) adapter_.hold();
    session_.move(SessionState::kConfigured);
    record_.event(last_step_, "state", "CONFIGURED: " + why);
    end_session();
    // So that an integrator that was only late begins anew with it.
    configure_.session = {};
  }
}

void SiteNode::speak_when_due() {
  if (preparation_ != nullptr) {  // whoever waits hears that it is here
    if (now_ - sent_ >= duration(configure_.heartbeat_period)) say_heartbeat();
    return;
  }
  if (spoke_ && now_ < next_due()) return;
  if (!conversing())
    say_hello();
  else if (now_ - sent_ >= duration(configure_.heartbeat_period) ||
           (rig_.real_equipment && now_ - beat_ >= duration(configure_.heartbeat_period)))
    say_heartbeat();
}

void SiteNode::say(const SessionMessage& message) {
  transport_.send(0, message);
  spoke_ = true;
  sent_ = now_;
}

TimePoint SiteNode::next_due() const noexcept {
  if (!conversing()) return sent_ + settings_.hello_period;
  const TimePoint said = rig_.real_equipment ? std::min(sent_, beat_) : sent_;
  const TimePoint due = std::min(said + duration(configure_.heartbeat_period),
                                 heard_ + duration(configure_.watchdog));
  return paced() ? std::min(due, news_due()) : due;
}

TimePoint SiteNode::tick_time() const noexcept {
  const double tick = tick_length();
  return TimePoint{Duration{std::llround(static_cast<double>(ticks_) * tick * 1e9)}};
}

}  // namespace trestle
