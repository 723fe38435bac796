#include "site-servers/node/site_commands.h"

#include "core/session/audit_actions.h"
#include "core/session/note_text.h"
#include "site-servers/node/set_aside.h"
#include "site-servers/node/site_text.h"

namespace trestle::site_node {
namespace {

/// The rig stands since the process that held it has ended; a resume of its test may wait
/// for this site.
bool is_kept(const SiteParts& site) {
  const std::optional<InterruptedSession>& past = site.session.interrupted();
  return past && past->aimed() && !site.session.live() &&
         !site.session.in(session::SessionState::kFault);
}

}  // namespace

/// @returns as RigService::hold(); nothing: no command to the rig is under way
std::optional<std::string> SiteCommands::end_service(const std::string& why) {
  if (!parts_.service.under_way()) return std::nullopt;
  return parts_.service.hold(why);
}

std::string SiteCommands::hold(const std::string& by, const std::string& from,
                               const std::string& reason) {
  const SiteCause cause{SiteCause::HeldByPerson{by, reason}};
  const std::string why = site_text::sentence(cause, site_.agreed);
  if (const std::optional<std::string> ended = end_service(why)) return *ended;
  const bool armed =
      site_.session.live() && site_.session.in(session::SessionState::kArmed);
  if (site_.loop.checking() || armed) {
    site_.record.audit(session::audit_held(by, from, reason));
    parts_.arming.hold(cause, by);
    return {};
  }
  if (is_kept(site_)) return hold_kept(session::audit_held(by, from, reason), why);
  if (parts_.readiness.give_up(why)) return {};
  const bool holds =
      site_.session.live() && site_.session.in(session::SessionState::kHolding);
  if (!holds &&
      (!site_.session.live() || !site_.session.in(session::SessionState::kRunning)))
    return site_text::nothing_to_hold(site_.session);
  site_.record.audit(session::audit_held(by, from, reason));
  parts_.end.withdraw();
  // A site that holds already tells it, too: a hold that would end without a person, or by
  // a word that was given before, becomes this person's.
  const std::int64_t number = site_.session.number_hold();
  site_.session.flags().unheard_hold =
      UnheardHold{session::audit_held(by, from, reason), number};
  parts_.hold.halt({}, cause, by, number);
  return {};
}

/// The rig stands already. While it gets ready to be resumed, too: the look at it moves
/// nothing.
/// @returns why it is not on record, or nothing
std::string SiteCommands::hold_kept(const AuditEntry& said, const std::string& why) {
  InterruptedSession& past = *site_.session.interrupted();
  const bool hears = site_.session.in(session::SessionState::kConnected);
  past.held = said;
  past.stopped.reset();  // an earlier one, which would move the rig when the test is there
  past.hold_number = site_.session.number_hold();
  // On both records, whatever becomes of the processes; told again when the test is there.
  const std::string problem = site_.record.audit_after_close(said, past.session);
  if (hears)
    site_.peer.say(Halt{.session = past.session,
                        .node = site_.settings.name,
                        .fault = {},
                        .step = past.last_step + 1,
                        .reason = why,
                        .by = said.who,
                        .hold = past.hold_number});
  site_.session.set_reason(why +
                           (hears ? "" : "; its integrator hears it when it connects"));
  if (problem.empty()) return {};
  return "it is held as long as this process runs, and is not on its record: " + problem;
}

std::string SiteCommands::stop(const std::string& by, const std::string& reason) {
  const SiteCause cause{SiteCause::StoppedByPerson{by, reason}};
  const std::string why = site_text::sentence(cause, site_.agreed);
  if (const std::optional<std::string> ended = end_service(why)) return *ended;
  if (parts_.readiness.give_up(why)) return {};
  if (!site_.session.live()) {
    const std::optional<InterruptedSession>& past = site_.session.interrupted();
    return past ? "a test was cut off at this site and is not resumed: " +
                      way_to_end(*past, site_.settings.name)
                : "no test is running at this site";
  }
  site_.record.audit(session::audit_stopped(by, session::kOperatorChannel, reason));
  site_.loop.give_up_checks();  // at once: the integrator's word takes its way
  parts_.end.ask(cause, by);
  return {};
}

std::string SiteCommands::clear(const std::string& by, const std::string& drive) {
  if (!site_.session.in(session::SessionState::kFault))
    return site_text::nothing_to_clear(site_.session);
  if (parts_.service.under_way())
    return site_text::rig_commanded(parts_.service.doing()) +
           "; clear the fault when that is over (trestle status); if the driver does not "
           "come back, see to the equipment, and start this program again";
  parts_.service.forget_outcome();
  return parts_.clearing.clear(by, drive);
}

std::string SiteCommands::note(const std::string& by, Note note) {
  if (note.to_all) {
    if (!site_.session.conversing())
      return "no test is under way at this site; no node would receive the message";
    parts_.heartbeats.announce(by, note.text);
    return {};
  }
  // The audit of an open record begins with its configuration.
  if (site_.record.audit_digest().empty())
    return "no record is open at this site: no test runs here; the note was not recorded";
  if (std::string why = session::refusal_of_site(note, {site_.settings.name}); !why.empty())
    return why;
  const std::int64_t done = site_.position.executed;
  if (note.step == Note::kNow) note.step = done;
  if (std::string why = session::refusal_of_note(note, done); !why.empty()) return why;
  note.time = static_cast<double>(note.step) * site_.agreed.configure.time_step;
  site_.record.audit(
      session::audit_noted(by, session::kOperatorChannel, session::note_text(note)));
  site_.record.event(note.step, "note", note.text);
  return {};
}

std::string SiteCommands::arm() {
  return "a test is armed where it is conducted: trestle arm RUN-FOLDER at the integrator";
}

std::string SiteCommands::resume() {
  return "a test is resumed where it is conducted: trestle resume RUN-FOLDER at the "
         "integrator";
}

void SiteCommands::leave(const std::string& by, const std::string& from,
                         const std::string& reason) {
  SiteSession& session = site_.session;
  if (session.flags().leaving) return;
  site_.loop.give_up_checks();
  session.flags().opening = false;
  parts_.readiness.give_up(reason);
  parts_.service.hold(reason);
  if (session.live()) {
    site_.record.audit(session::audit_held(by, from, reason));
    if (session.in(session::SessionState::kArmed)) site_.rig.guard().hold();
    parts_.hold.halt({FaultKind::kPeerSilent, -1, 0.0, 0.0},
                     {SiteCause::ServerEnded{reason}}, by);
  }
  session.flags().leaving = true;
}

}  // namespace trestle::site_node
