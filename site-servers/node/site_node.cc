#include "site-servers/node/site_node.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "core/base/setting_error.h"
#include "core/session/fault_text.h"
#include "site-servers/node/agreed_limits.h"

namespace trestle {
namespace {

// A flood of messages must not keep a tick from ending.
constexpr int kMessagesPerTick = 64;
// Looks so often whether the record is safe, where no virtual time waits for it.
constexpr Duration kGlance = std::chrono::microseconds(200);

/// @pre in_seconds is what refusal_of(Configure) lets through
Duration duration(double in_seconds) {
  return Duration{static_cast<std::int64_t>(in_seconds * 1e9)};
}

bool has_length(const InterfaceMotion& target, Eigen::Index dofs) noexcept {
  return target.displacement.size() == dofs && target.velocity.size() == dofs &&
         target.acceleration.size() == dofs;
}

}  // namespace

SiteNode::SiteNode(SiteSettings settings, SiteAdapter& adapter, Transport& transport,
                   Recorder& recorder, RecordChunkSource* records, const Clock& clock)
    : settings_(std::move(settings)),
      guard_(std::make_unique<StallGuard>(adapter, clock, settings_.hangs)),
      adapter_(*guard_),
      peer_(transport, clock, settings_.shares_clock, settings_.system_clock),
      record_(recorder),
      records_(records),
      rig_(adapter.description()),
      clock_(clock) {
  if (settings_.control_chain == nullptr)
    throw SettingError("control_chain",
                       "no factory is set; a site makes no compensator without");
  const auto moved = static_cast<std::size_t>(settings_.loading_frame->actuators());
  if (moved != rig_.actuators.size())
    throw SettingError("loading_frame", "it moves " + std::to_string(moved) +
                                            " actuators, the rig has " +
                                            std::to_string(rig_.actuators.size()));
  look_back();
  stood_ = in_force(settings_.earlier.drive);
  if (settings_.earlier.fault.empty()) return;
  session_.move(SessionState::kFault);
  reason_ = settings_.earlier.fault;
}

TimePoint SiteNode::tick(TimePoint now) {
  now_ = now;
  peer_.begin_tick(now);
  bool worked = false;
  for (int n = 0; n < kMessagesPerTick && peer_.receive(incoming_); ++n) {
    worked = true;
    handle(incoming_);
  }
  watch_for_stall();
  TimePoint due = preparation_ != nullptr ? await_rig() : TimePoint::max();
  if (waits_for_record()) {
    due = now + kGlance;
    worked = worked || settings_.loop_executor == nullptr;
  }
  if (executor_ != nullptr) {
    const TimePoint next = executor_->tick(now);
    due = std::min(due, next);
    worked = next <= now || worked;
    worked = process_loop_events() || worked;
  }
  if (ending_ && at_rest()) end_session();
  watch_for_silence();
  peer_.keep(conversing());
  if (!leaving_) {
    tell_changes();
    speak_when_due();
  }
  tell_sums(false);
  note_wait();
  // Who leaves says no more, so that no word of its own is due.
  return worked ? now : std::min(due, leaving_ ? TimePoint::max() : next_due());
}

void SiteNode::handle(const ReceivedMessage& message) {
  if (leaving_) return;
  if (message.kind == ReceivedMessage::Kind::kMalformed)
    note_of_peer(malformed_, message.problem);  // not a sign of life
  else if (message.kind == ReceivedMessage::Kind::kStepCommand)
    on_step(message.command);
  else if (message.kind == ReceivedMessage::Kind::kSession)
    handle_session(message.session);
}

/// Only messages of the session that stands are a sign of life.
bool SiteNode::ours(const SessionId& session) noexcept {
  if (session != agreed_.configure.session || session == SessionId{}) return false;
  peer_.note_sign_of_life();
  return true;
}

std::string SiteNode::refusal_of(const StepCommand& command) const {
  const auto step = [&] {
    return "step " + std::to_string(command.step);
  };
  const std::int64_t last = taken_step_;
  // The modes that wait have one step at a time, up to the answer to it.
  const bool one_by_one = agreed_.rules->timed_loop && !agreed_.rules->skips_steps;
  if (one_by_one && session_.in(SessionState::kRunning) && command.step == last + 1 &&
      (taken_step_ > last_step_ || unsure_answer_))
    return step() + " came while step " + std::to_string(taken_step_) +
           " is under way; one follows when the other is answered";
  if (!session_.in(SessionState::kRunning))
    return step() + " came while the site is " +
           std::string(trestle::name(session_.state())) +
           (reason_.empty() ? std::string() : ": " + reason_);
  // In real time a step that was lost is missed, and time goes on.
  if (agreed_.rules->skips_steps ? command.step <= last : command.step != last + 1)
    return step() + " came; the next one is " + std::to_string(last + 1);
  if (agreed_.configure.steps_planned > 0 &&
      command.step >= agreed_.configure.steps_planned)
    return step() + " came; the test ends with step " +
           std::to_string(agreed_.configure.steps_planned - 1);
  const auto dofs = static_cast<Eigen::Index>(controlled_dofs(agreed_.layout));
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
  peer_.compare_clocks(command);
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
  // In lock-step a later one went out only after the answer to this was in; a timed loop
  // has it already.
  if (command.step >= 0 && command.step <= taken_step_) return;
  const std::string why = refusal_of(command);
  if (!why.empty()) return refuse(why);
  give(command);
}

/// As the last step left it.
void SiteNode::send_answer() {
  peer_.answer(response_);
}

/// Refused, not tripped: nothing has moved and nothing is latched.
void SiteNode::refuse_target(const Fault& fault, std::int64_t step) {
  refuse(refused_target_sentence(fault, agreed_.layout, agreed_.actuators) +
             format_site_limit(settings_, fault, agreed_.layout) + " at step " +
             std::to_string(step),
         fault);
}

void SiteNode::trip(const Fault& fault) {
  if (fault.kind == FaultKind::kUnknownDrive && asks_for_drive_)
    return trip(fault, unknown_drive_text(*asks_for_drive_, settings_.name,
                                          /*alone=*/false, agreed_.actuators));
  if (fault.kind == FaultKind::kJournal && record_.failed())
    return trip(fault, record_.error_message());
  // The loop and this thread both watch for it; whoever is first, the words are the same.
  const char* const who =
      fault.kind == FaultKind::kPeerSilent ? "the integrator is silent: " : "";
  const std::string sentence = who +
                               format_fault(fault, agreed_.layout, agreed_.actuators) +
                               format_site_limit(settings_, fault, agreed_.layout);
  const bool of_the_rig = fault.kind == FaultKind::kAdapter ||
                          fault.kind == FaultKind::kOverrun ||
                          fault.kind == FaultKind::kStalled;
  const std::string words = of_the_rig ? adapter_.diagnostic_message() : std::string();
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
                static_cast<double>(step) * agreed_.configure.time_step);
  // The question to a person ends with the command that answers it.
  reason_ = sentence + (asks_for_drive_ ? "" : when);
  record_.event(step, "fault", reason_);
  halt_ = {agreed_.configure.session, settings_.name, fault, step, reason_, {}};
  say(halt_);
}

void SiteNode::refuse(const std::string& reason, const Fault& fault) {
  note_of_peer(refused_, reason);
  say(Rejection{reason, fault});
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
  if (executor_ == nullptr) return adapter_.hold();
  LoopCommand safe;
  safe.kind = LoopCommand::Kind::kSafe;
  safe.fault = fault;
  executor_->order(safe);
}

void SiteNode::stand_still() {
  order(LoopCommand::Kind::kHold);
}

/// @pre the session's state says already that it holds
void SiteNode::hold_because(const std::string& reason) {
  stand_still();
  reason_ = reason;
  record_.event(last_step_, "state", "HOLDING: " + reason_);
}

bool SiteNode::silent() const noexcept {
  return peer_.silence() >= duration(agreed_.configure.watchdog);
}

void SiteNode::watch_for_silence() {
  if (!live_ || !silent()) return;
  const Fault fault{FaultKind::kPeerSilent, -1, seconds(peer_.silence()),
                    agreed_.configure.watchdog};
  const std::string why =
      "the integrator is silent: " + format_fault(fault, agreed_.layout, agreed_.actuators);
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
    agreed_.configure.session = {};
  }
}

void SiteNode::speak_when_due() {
  const Duration period = duration(agreed_.configure.heartbeat_period);
  if (preparation_ != nullptr) {  // whoever waits hears that it is here
    if (peer_.is_word_due(period, false)) say_heartbeat();
    return;
  }
  if (peer_.spoke() && now_ < next_due()) return;
  if (!conversing())
    say_hello();
  else if (peer_.is_word_due(period, rig_.real_equipment))
    say_heartbeat();
}

TimePoint SiteNode::next_due() const noexcept {
  if (!conversing()) return peer_.said_at() + settings_.hello_period;
  const Duration period = duration(agreed_.configure.heartbeat_period);
  const TimePoint due = std::min(peer_.next_word(period, rig_.real_equipment),
                                 peer_.heard_at() + duration(agreed_.configure.watchdog));
  return executor_ == nullptr ? due : std::min(due, executor_->events_due(now_));
}

}  // namespace trestle
