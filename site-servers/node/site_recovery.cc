#include "site-servers/node/site_recovery.h"

#include <algorithm>
#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>

#include "core/session/audit_actions.h"
#include "core/session/contract_checks.h"
#include "site-servers/node/longest_times.h"
#include "site-servers/node/site_text.h"

namespace trestle::site_node {

void SiteRecovery::find_interrupted() {
  auto& past = site_.session.interrupted();
  past = site_.record.find_interrupted_session(!site_.rig.real());
  if (past) doubt_after_release(*past);
  tell_standing_hold();
}

/// To the person here: it is why the rig stays where it is.
void SiteRecovery::tell_standing_hold() {
  const std::optional<InterruptedSession>& past = site_.session.interrupted();
  if (!past || !past->held) return;
  const SiteCause cause{SiteCause::HeldByPerson{past->held->who, past->held->text}};
  site_.session.set_reason(site_text::sentence(cause, site_.agreed) +
                           "; its integrator hears it when it connects");
}

/// A process before this one may have released the rig after the record's last drive.
void SiteRecovery::doubt_after_release(InterruptedSession& past) const {
  const RigDiary* const diary = site_.settings.earlier.diary.get();
  if (diary == nullptr) return;
  for (const AuditEntry& act : diary->acts())
    if (act.text.find(kReleaseAct) != std::string::npos) return past.doubt_place();
}

void SiteRecovery::configure_again(const Configure& message) {
  SiteSession& session = site_.session;
  if (session.live() && message.session == site_.agreed.configure.session) {
    // Only an integrator that was restarted asks for that of a site that runs.
    if (!parts_.end.moves_rig_for_person() && session.move(session::SessionState::kHolding))
      parts_.hold.hold({SiteCause::IntegratorRestarted{}});
    session.is_current(message.session);
    // It may be another process of the integrator, with its own clock.
    if (!agreed_again_) site_.peer.comparison().restart();
    agreed_again_ = true;
    // The integrator can resume then, by a word that was given earlier.
    parts_.hold.tell_unheard();
    site_.peer.say(site_.agreed.configured);
    parts_.end.tell_stop_again();
    return;
  }
  // An integrator whose steps are all done takes a refusal for a session that is over.
  parts_.heartbeats.say_latched_fault(message.session);
  if (session.in(session::SessionState::kFault) || (session.active() && session.live()))
    return site_.notes.refuse(parts_.setup.refusal_of(message));
  const std::optional<InterruptedSession>& past = session.interrupted();
  if (!past || past->session != message.session) return find_older(message);
  if (const std::string why = refusal_of_test_of(message); !why.empty())
    return site_.notes.refuse(why);
  try {
    restore(message);
  } catch (const std::exception& error) {
    parts_.setup.abandon(error.what());
  }
}

std::string SiteRecovery::refusal_of_test_of(const Configure& message) const {
  return refusal_of_test(message, site_.settings, site_.rig.description(),
                         site_.rig.guard().accelerations().size());
}

bool SiteRecovery::sets_up(const Configure& message) const {
  const SiteSession& session = site_.session;
  return !session.live() && !session.in(session::SessionState::kFault) &&
         session.interrupted() && session.interrupted()->session == message.session &&
         refusal_of_test_of(message).empty();
}

/// Another session than the one that the Hello offered: it may be an older one.
void SiteRecovery::find_older(const Configure& message) {
  SiteSession& session = site_.session;
  std::optional<InterruptedSession> asked;
  SiteRecorder::NoSession none;
  try {
    if (!session.live())
      asked =
          site_.record.find_interrupted_session(!site_.rig.real(), message.session, &none);
  } catch (const std::exception& error) {
    return site_.notes.refuse(error.what());
  }
  if (!asked) {
    if (none.ended) return parts_.heartbeats.say_ended(message.session, *none.ended);
    const std::string why = site_text::no_record(none.missing);
    if (!session.live()) session.set_reason(why);  // for the person here
    return site_.notes.refuse(why);
  }
  // Nor does an older test go on beside the one that the rig is kept for.
  if (const std::string why = parts_.setup.rig_is_kept(); !why.empty())
    return site_.notes.refuse(why);
  doubt_after_release(*asked);
  session.interrupted() = std::move(asked);
  tell_standing_hold();
  session.go_offline();  // the Hello says which one is resumed
  parts_.heartbeats.say_hello();
}

void SiteRecovery::restore(const Configure& message) {
  const bool simulated = !site_.rig.real();
  SiteSession& session = site_.session;
  InterruptedSession& past = *session.interrupted();
  SiteRecorder& record = site_.record;
  parts_.setup.agree(message);
  if (const std::string why = session::check_contract_unchanged(
          past.contract, site_.agreed.configured.contract);
      !why.empty())
    throw std::runtime_error(why);
  if (!simulated) find_drive(past);
  record.reopen(message, parts_.setup.record_schema(), past, simulated);
  if (!simulated) site_.loop.set_stood(past.drive);
  // The next process of the site knows it, too.
  if (past.told && record.keep_told(*site_.loop.stood(), past.ticks)) ++past.ticks;
  past.told = false;
  site_.position.ticks = past.ticks;
  parts_.setup.make_loop();
  site_.position.executed = site_.position.accepted = past.last_step;
  site_.position.aimed = past.aimed();
  restore_rig(past);
  parts_.steps.take_from_record(past);
  restored_ = message.session;
  const std::optional<AuditEntry> stopped = std::move(past.stopped);
  const std::optional<AuditEntry> held = std::move(past.held);
  const std::int64_t number =
      past.hold_number != 0 ? past.hold_number : session.number_hold();
  session.interrupted().reset();
  session.begin();
  for (const session::SessionState state :
       {session::SessionState::kConfigured, session::SessionState::kArmed,
        session::SessionState::kHolding})
    session.move(state);
  site_.loop.begin();
  if (!simulated) {
    // The process that held it is gone: from here on this one holds it.
    site_.loop.order(LoopCommand::Kind::kHold);
    site_.loop.order(LoopCommand::Kind::kOpen);  // its first read, where it stands
  }
  session.set_reason(site_text::sentence(
      {SiteCause::SiteRestarted{site_.position.executed}}, site_.agreed));
  site_.note("state", "HOLDING: " + session.reason());
  if (held) {
    session.flags().unheard_hold = UnheardHold{*held, number};
    session.set_reason(session.reason() + "; " +
                       site_text::sentence({SiteCause::HeldByPerson{held->who, held->text}},
                                           site_.agreed));
  }
  parts_.hold.tell_unheard();
  site_.peer.say(site_.agreed.configured);
  // The process that a person told died before the test was at its end.
  if (stopped)
    parts_.end.ask({SiteCause::StoppedByPerson{stopped->who, stopped->text}}, stopped->who);
}

bool SiteRecovery::is_held_against(const Resume& resume) {
  std::optional<UnheardHold>& held = site_.session.flags().unheard_hold;
  if (held && held->number == resume.hold) held.reset();  // its answer was lost
  return parts_.hold.tell_unheard();
}

void SiteRecovery::restore_rig(InterruptedSession& past) {
  ControlLoop& loop = site_.loop.control();
  const bool simulated = !site_.rig.real();
  if (past.state) {
    SnapshotReader state(past.state->values);
    loop.restore(state);
    // Real equipment has none: its state is measured.
    if (simulated) site_.rig.guard().restore(state);
  }
  if (simulated) return;
  // With the power the last drives were lost: those that were kept are of before.
  loop.forget_given();
  if (site_.loop.stood()) loop.stood(*site_.loop.stood());
  loop.resume_at(site_.position.executed, site_.position.ticks);
}

/// Before anything of the session is restored: which drive does the equipment have in
/// force?
/// @throws std::runtime_error  in FAULT: if that is unknown, or the rig has tripped
void SiteRecovery::find_drive(InterruptedSession& past) {
  parts_.question.withdraw();
  const auto& [status, seen] = parts_.readiness.found();
  const bool sound =
      status == AdapterStatus::kOk && seen.displacement.allFinite() &&
      seen.force.allFinite() && seen.force_only.allFinite() &&
      seen.displacement.size() == static_cast<Eigen::Index>(site_.agreed.actuators.size());
  if (sound && parts_.question.find(past, seen.displacement)) return;
  const std::string words = site_.rig.guard().diagnostic_message();
  const bool asks = parts_.question.open();
  const std::string why =
      asks ? parts_.question.sentence(site_.settings.shares_clock)
           : "the rig cannot be read" + (words.empty() ? "" : ": " + words);
  // A measurement that is only late is asked for again.
  if (status == AdapterStatus::kLate) throw std::runtime_error(why);
  site_.rig.guard().hold();
  site_.session.move(session::SessionState::kFault);
  site_.session.latch(
      {site_.agreed.configure.session,
       site_.settings.name,
       {asks ? FaultKind::kUnknownDrive : FaultKind::kAdapter, -1, 0.0, 0.0},
       past.last_step + 1,
       why,
       {}});
  throw std::runtime_error(why);
}

/// Why it cannot continue now, or empty.
std::string SiteRecovery::refusal_of(const Resume& resume) const {
  if (!site_.session.in(session::SessionState::kHolding))
    return site_text::cannot_resume(site_.session);
  if (!site_.session.armed())
    return "it was in FAULT before it was armed; stop the test, and start it again";
  if (site_.rig.real() && resume.by.empty())
    return "it is real equipment, which continues by an operator's command only "
           "(trestle resume)";
  const timing::PeerClock& clocks = site_.peer.comparison();
  if (!site_.agreed.rules->timed_loop || !clocks.known()) return {};
  return refusal_of_moment("the test would go on in", clocks.to_own(resume.at),
                           site_.peer.now(), site_.settings.longest.ahead);
}

void SiteRecovery::resume(const Resume& resume) {
  SiteSession& session = site_.session;
  const AgreedTest& agreed = site_.agreed;
  const StepPosition& position = site_.position;
  if (!session.live()) return;
  // Said again: steps that were due meanwhile may still be executed.
  if (session.in(session::SessionState::kRunning))
    return site_.peer.say(Resumed{agreed.configure.session, agreed.rules->skips_steps
                                                                ? parts_.steps.settled()
                                                                : position.executed});
  if (const std::string why = refusal_of(resume); !why.empty())
    return site_.notes.refuse(why);
  if (agreed.rules->by_time && !site_.peer.comparison().known())
    return;  // it will be said again
  // Its loop may still pass steps by, which would be due again now.
  if (agreed.rules->skips_steps && restored_ != agreed.configure.session &&
      site_.loop.executor()->motion() != RigMotion::kHolds)
    return;  // and this, too
  // The loop may have met a fault that this thread has not yet heard of, or end the hold
  // otherwise: a resume is never taken in FAULT.
  parts_.hold.check_stall();
  parts_.events.process();
  if (const std::string why = refusal_of(resume); !why.empty())
    return site_.notes.refuse(why);
  agreed_again_ = session.flags().left_held = false;
  session.flags().opening = false;
  // A simulated pseudo-dynamic step continues where time stopped.
  parts_.steps.resume(agreed.rules->freezes_on_hold && !site_.rig.real());
  if (site_.rig.real() || !resume.contract_hash.empty())
    if (const std::string why = session::check_contract_hash(
            "resume", agreed.configured.contract, resume.contract_hash);
        !why.empty())
      return site_.notes.refuse(why);
  // Held before it was started, or cut off before its first step: the initial measurement
  // is due. A timed loop makes it itself: the rig is read by one thread.
  StepExecutor& executor = *site_.loop.executor();
  if (const Fault fault = executor.open()) return parts_.hold.trip(fault);
  if (agreed.rules->skips_steps && !parts_.steps.continue_at(resume.next_step)) return;
  restored_.reset();
  session.move(session::SessionState::kRunning);
  site_.record.audit(session::audit_resumed(
      resume.by.empty() ? "integrator" : resume.by, "bus: integrator",
      std::to_string(position.executed + 1), agreed.contract_hash));
  site_.note("state", "RUNNING" + (resume.by.empty() ? "" : ": resumed by " + resume.by));
  session.set_reason({});
  site_.peer.set_session_zero(resume.at);
  executor.message_received(site_.peer.now());
  LoopCommand command;
  command.kind = LoopCommand::Kind::kResume;
  command.at = site_.peer.own_zero();
  command.first = std::max(resume.next_step, position.executed + 1);
  executor.order(command);
  site_.peer.say(Resumed{agreed.configure.session, position.executed});
}

}  // namespace trestle::site_node
