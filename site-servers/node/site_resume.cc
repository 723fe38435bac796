// The part of SiteNode that goes on after a hold or a restart.
#include <algorithm>
#include <exception>
#include <stdexcept>
#include <variant>

#include "core/session/audit_actions.h"
#include "core/session/contract_checks.h"
#include "site-servers/node/site_node.h"
#include "site-servers/node/told_drive.h"

namespace trestle {
namespace {

constexpr const char* kNotInForce =
    "which the equipment may not have in force any more: it stopped by itself, was moved "
    "by its own means, or did not receive it";

/// Why the last drive on record is not in force.
const char* doubt_of(const DriveInForce& last) {
  return is_doubtful(last) ? kNotInForce : "from where it has been moved since";
}

}  // namespace

/// After a restart: is there a session that was cut off?
void SiteNode::look_back() {
  past_ = record_.look_back(!rig_.real_equipment);
}

bool SiteNode::can_resume() const noexcept {
  // In FAULT once a person has cleared it: until then it refuses the Resume, and says why.
  return live_
             ? session_.in(SessionState::kHolding) || session_.in(SessionState::kRunning) ||
                   session_.in(SessionState::kFault)
             : past_.has_value();
}

void SiteNode::on_configure_again(const Configure& message) {
  if (live_ && message.session == agreed_.configure.session) {
    // Only an integrator that was restarted asks for that of a site that runs.
    if (session_.move(SessionState::kHolding)) hold_because("the integrator was restarted");
    ours(message.session);
    // It may be another life of the integrator, with a clock of its own.
    if (!agreed_again_) peer_.comparison().restart();
    agreed_again_ = true;
    return say(agreed_.configured);
  }
  if (session_.in(SessionState::kFault) || (session_.active() && live_))
    return refuse(refusal_of(message));
  if (!past_ || past_->session != message.session) return look_back_further(message);
  if (const std::string why =
          refusal_of_test(message, settings_, rig_, adapter_.accelerations().size());
      !why.empty())
    return refuse(why);
  try {
    rebuild(message);
  } catch (const std::exception& error) {
    finish_execution();
    drop_loop();
    reason_ = error.what();
    refuse(reason_);
  }
}

/// Another session than the one that the hello offered: it may be an older one.
void SiteNode::look_back_further(const Configure& message) {
  std::optional<InterruptedSession> asked;
  try {
    if (!live_) asked = record_.look_back(!rig_.real_equipment, message.session);
  } catch (const std::exception& error) {
    return refuse(error.what());
  }
  if (!asked)
    return refuse("it has no record of this session that was cut off; start the test anew");
  past_ = std::move(asked);
  session_ = SiteStateMachine{};  // the hello says which one is gone on with
  say_hello();
}

/// Before anything of the session is taken up again: which drive does the equipment have in
/// force? A guess would go to it as a step.
/// @throws std::runtime_error  in FAULT: where nobody knows, or the rig is tripped
void SiteNode::look_for_drive() {
  asks_for_drive_.reset();
  const auto actuators = static_cast<Eigen::Index>(agreed_.actuators.size());
  const auto& [status, seen] =
      rig_found_ ? *rig_found_ : rig_found_.emplace(find_rig(adapter_));
  const bool sound = status == AdapterStatus::kOk && seen.displacement.allFinite() &&
                     seen.force.allFinite() && seen.force_only.allFinite() &&
                     seen.displacement.size() == actuators;
  if (sound) {
    if (!past_->driven) return;
    if (reported_drive(adapter_.drive_in_force(), actuators)) return;
    if (const std::optional<DriveInForce> told = in_force(settings_.earlier.drive);
        told &&
        still_stands(*told, seen.displacement, agreed_.configured.limits, agreed_.tick())) {
      past_->drive = told;
      past_->driven = past_->told = true;
      return;
    }
    if (may_trust(past_->drive, seen.displacement)) return;
    const std::optional<DriveInForce>& last =
        past_->drive ? past_->drive : past_->older_drive;
    settings_.earlier.drive.reset();
    asks_for_drive_ = UnknownDrive{seen.displacement, std::nullopt, ""};
    if (last) asks_for_drive_->last = last->drive;
    if (!past_->drive)
      asks_for_drive_->doubt = "and later ones may have been lost with the power";
    else
      asks_for_drive_->doubt = doubt_of(*past_->drive);
  }
  const std::string words = adapter_.diagnostic_message();
  const std::string why =
      asks_for_drive_ ? unknown_drive_text(*asks_for_drive_, settings_.name,
                                           settings_.shares_clock, agreed_.actuators)
                      : "the rig cannot be read" + (words.empty() ? "" : ": " + words);
  // A measurement that is only late is asked for again.
  if (status == AdapterStatus::kLate) throw std::runtime_error(why);
  adapter_.hold();
  session_.move(SessionState::kFault);
  halt_ = {agreed_.configure.session,
           settings_.name,
           {asks_for_drive_ ? FaultKind::kUnknownDrive : FaultKind::kAdapter, -1, 0.0, 0.0},
           past_->last_step + 1,
           why,
           {}};
  throw std::runtime_error(why);
}

/// After a restart: whether the drive on record is in force, as far as can be seen.
bool SiteNode::may_trust(std::optional<DriveInForce>& given,
                         const ActuatorVector& measured) const {
  if (!given) return false;
  if (!is_doubtful(*given))
    return still_stands(*given, measured, agreed_.configured.limits, agreed_.tick());
  if (!stands_on(*given, measured, agreed_.configured.limits, agreed_.tick())) return false;
  given->measured = measured;
  return true;
}

/// Of a running site: its loop cannot go on.
/// @param last  given last, or empty
void SiteNode::ask_for_drive(const ActuatorVector& measured, const ActuatorVector& last) {
  asks_for_drive_ = UnknownDrive{measured, last, kNotInForce};
}

/// A person says which drive is in force; where the rig still stands as it did when that
/// was asked, the first drive is the same. @returns why not, or empty
std::string SiteNode::take_drive(const std::string& by, const std::string& drive) {
  told_drive_.resize(0);
  // Where the test is over it need not be said.
  if (drive.empty() && !past_ && !live_) asks_for_drive_.reset();
  if (drive.empty() && !asks_for_drive_) return {};
  if (!asks_for_drive_)
    return "nobody asks for the drive in force here; trestle clear " + settings_.name +
           " without --drive finds out whether it is known";
  if (drive.empty()) return reason_;
  const auto told = told_drive(drive, agreed_.actuators, asks_for_drive_->measured,
                               agreed_.configured.limits);
  if (const auto* why = std::get_if<std::string>(&told)) return *why;
  const ActuatorVector& value = std::get<ActuatorVector>(told);
  if (live_) {
    told_drive_ = value;
  } else if (!past_) {
    stood_ = DriveInForce{value, value, value, asks_for_drive_->measured};
  } else {
    past_->drive = DriveInForce{value, value, value, asks_for_drive_->measured};
    past_->driven = past_->told = true;
  }
  record_.audit_after_close(audit_override(by, "operator channel", "drive in force",
                                           drive_text(value, agreed_.actuators)));
  asks_for_drive_.reset();
  return {};
}

/// From the record: a simulated rig as it was after the last step that was kept; real
/// equipment from where it stands.
void SiteNode::rebuild(const Configure& configure) {
  const bool simulated = !rig_.real_equipment;
  set_up(configure);
  if (const std::string why =
          check_contract_unchanged(past_->contract, agreed_.configured.contract);
      !why.empty())
    throw std::runtime_error(why);
  if (!simulated) look_for_drive();
  record_.reopen(configure, settings_.name, agreed_.actuators,
                 tick_channels(settings_.name, agreed_.actuators, rig_.extra),
                 drives_kept(), *past_, simulated);
  if (!simulated) stood_ = past_->drive;
  if (past_->told && settings_.earlier.drive)
    record_.audit(audit_override(settings_.earlier.drive->by, "operator channel",
                                 "drive in force",
                                 drive_text(past_->drive->drive, agreed_.actuators)));
  // The next life of the site knows it, too.
  if (past_->told && record_.keep_told(*stood_, past_->ticks)) ++past_->ticks;
  past_->told = false;
  ticks_ = past_->ticks;
  make_loop();
  last_step_ = taken_step_ = past_->last_step;
  if (past_->state) {
    SnapshotReader state(past_->state->values);
    loop_->restore(state);
    // Real equipment has none: its state is measured.
    if (simulated) adapter_.restore(state);
  }
  if (!simulated) {
    // With the power the last drives were lost: those that were kept are of before.
    loop_->forget_given();
    if (stood_) loop_->stood(*stood_);
    loop_->take_up(last_step_, ticks_);
  }
  if (last_step_ >= 0 && !record_.stored(last_step_, response_)) forget_answer();
  // It may have outlived the process, and not yet the power.
  answer_ticket_ = record_.request_sync();
  // The loop had gone beyond them, and nobody may have said so any more.
  for (std::int64_t step = past_->last_result + 1; step <= last_step_; ++step)
    note("missed", step);
  past_.reset();
  live_ = true;
  peer_.note_sign_of_life();
  for (const SessionState state :
       {SessionState::kConfigured, SessionState::kArmed, SessionState::kHolding})
    session_.move(state);
  begin_execution();
  if (!simulated) {
    // The process that held it is gone: from here on this one holds it.
    order(LoopCommand::Kind::kHold);
    order(LoopCommand::Kind::kOpen);  // its first read, where it stands
  }
  reason_ = "restarted; its last step is " + std::to_string(last_step_);
  record_.event(last_step_, "state", "HOLDING: " + reason_);
  say(agreed_.configured);
}

void SiteNode::on_resume(const Resume& resume) {
  if (!live_) return;
  if (session_.in(SessionState::kRunning))
    return say(Resumed{agreed_.configure.session, last_step_});
  if (!session_.in(SessionState::kHolding))
    return refuse("it cannot go on: it is " + std::string(trestle::name(session_.state())) +
                  (reason_.empty() ? std::string() : ": " + reason_));
  if (rig_.real_equipment && resume.by.empty())
    return refuse(
        "it is real equipment, which goes on by an operator's word only "
        "(trestle resume)");
  if (agreed_.rules->by_time && !peer_.comparison().known())
    return;  // it will be said again
  if (agreed_.rules->timed_loop && peer_.comparison().known())
    if (const std::string why = refusal_of_moment("the test would go on in",
                                                  peer_.comparison().to_own(resume.at),
                                                  now_, settings_.longest.ahead);
        !why.empty())
      return refuse(why);
  agreed_again_ = left_held_ = false;
  process_loop_events();
  opening_ = false;
  missed_.clear();  // under way when it was held: they may still come
  // A simulated pseudo-dynamic step goes on where time stopped; elsewhere it is taken anew.
  const bool frozen = agreed_.rules->freezes_on_hold && !rig_.real_equipment;
  if (!frozen) taken_step_ = last_step_;
  if (!frozen) unsure_order_.reset();
  if (rig_.real_equipment || !resume.contract_hash.empty())
    if (const std::string why = check_contract_hash("resume", agreed_.configured.contract,
                                                    resume.contract_hash);
        !why.empty())
      return refuse(why);
  // Held before it was started, or cut off before its first step: the initial measurement
  // is due. A timed loop makes it itself: the rig is read by one thread.
  if (const Fault fault = executor_->open()) return trip(fault);
  session_.move(SessionState::kRunning);
  record_.audit(audit_resumed(resume.by.empty() ? "integrator" : resume.by,
                              "bus: integrator", std::to_string(last_step_ + 1),
                              agreed_.contract_hash));
  record_.event(last_step_, "state",
                "RUNNING" + (resume.by.empty() ? "" : ": resumed by " + resume.by));
  reason_.clear();
  session_zero_ = resume.at;
  executor_->message_received(now_);
  if (agreed_.rules->skips_steps) give_up_to(resume.next_step);
  LoopCommand go_on;
  go_on.kind = LoopCommand::Kind::kResume;
  go_on.at = own_zero();
  go_on.first = std::max(resume.next_step, last_step_ + 1);
  executor_->order(go_on);
  say(Resumed{agreed_.configure.session, last_step_});
}

/// Real time: the test has gone on to this step without those before it.
void SiteNode::give_up_to(std::int64_t next) {
  next = std::min(next, agreed_.configure.steps_planned);
  for (std::int64_t step = last_step_ + 1; step < next; ++step) note("missed", step);
  if (last_step_ + 1 >= next) return;
  order(LoopCommand::Kind::kHold);  // a rig that came back in motion does not go on with it
  last_step_ = taken_step_ = next - 1;
  forget_answer();
}

/// The last step was missed: there is none.
void SiteNode::forget_answer() {
  response_ = {};
  response_.session = agreed_.configure.session;
  response_.step = last_step_;
  response_.missed = true;
}

/// Loop and simulated rig as they are after the initial measurement.
void SiteNode::save_state(std::int64_t step) {
  if (!record_.keeps_state()) return;
  snapshot_.clear();
  loop_->save(snapshot_);
  if (!rig_.real_equipment) adapter_.save(snapshot_);
  state_ = snapshot_.values();  // with room for those of the steps
  record_.state(step, state_);
}

/// In pseudo-dynamic mode nobody hears of a result that power loss could take.
bool SiteNode::answer_is_safe() const noexcept {
  return !unsure_answer_ && (agreed_.rules->answer != AnswerNeeds::kDurableResult ||
                             record_.is_durable(answer_ticket_));
}

/// Answers of long ago are read in peace only: by then the site holds, or has just gone on.
bool SiteNode::answer_from_record(std::int64_t step) {
  StepResponse old;
  if (!record_.stored(step, old)) return false;
  const TimePoint received = peer_.received_at();
  old.stamps = {received, received, received, received};
  peer_.answer(old);
  return true;
}

/// What was to be safe from power loss and is, goes its way.
/// @returns whether something still waits
bool SiteNode::waits_for_record() {
  if (!unsure_order_ && !unsure_answer_) return false;
  if (record_.failed()) {
    unsure_order_.reset();
    unsure_answer_ = false;
    trip({FaultKind::kJournal, -1, 0.0, 0.0}, record_.error_message());
    return false;
  }
  bool waits = false;
  if (unsure_answer_) {
    waits = !record_.is_durable(answer_ticket_);
    if (!waits) {
      unsure_answer_ = false;
      send_answer();
    }
  }
  if (unsure_order_ && !record_.is_durable(ticket_)) return true;
  // While it holds the step waits, too.
  if (unsure_order_ && session_.in(SessionState::kRunning)) {
    executor_->execute(unsure_order_->command, unsure_order_->times);
    unsure_order_.reset();
  }
  return waits;
}

}  // namespace trestle
