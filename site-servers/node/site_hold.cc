#include "site-servers/node/site_hold.h"

#include <utility>

#include "core/session/fault_text.h"
#include "site-servers/node/site_text.h"

namespace trestle::site_node {

void SiteHold::hold(const SiteCause& cause) {
  site_.loop.order(LoopCommand::Kind::kHold);
  site_.session.set_reason(site_text::sentence(cause, site_.agreed));
  site_.note("state", "HOLDING: " + site_.session.reason());
}

void SiteHold::halt(const Fault& fault, const SiteCause& cause, const std::string& by,
                    std::int64_t number) {
  if (site_.session.in(session::SessionState::kRunning) &&
      site_.session.move(session::SessionState::kHolding))
    hold(cause);
  tell(fault, site_text::sentence(cause, site_.agreed), by, number);
}

void SiteHold::tell(const Fault& fault, const std::string& reason, const std::string& by,
                    std::int64_t number) {
  site_.peer.say(Halt{.session = site_.agreed.configure.session,
                      .node = site_.settings.name,
                      .fault = fault,
                      .step = site_.position.executed + 1,
                      .reason = reason,
                      .by = by,
                      .hold = number});
}

bool SiteHold::tell_unheard() {
  const std::optional<UnheardHold>& held = site_.session.flags().unheard_hold;
  if (!held) return false;
  const SiteCause cause{SiteCause::HeldByPerson{held->said.who, held->said.text}};
  tell({}, site_text::sentence(cause, site_.agreed), held->said.who, held->number);
  return true;
}

void SiteHold::trip(const Fault& fault) {
  if (fault.kind == FaultKind::kUnknownDrive && question_.open())
    return trip(fault, question_.sentence(/*alone=*/false));
  if (fault.kind == FaultKind::kJournal && site_.record.failed())
    return trip(fault, site_.record.error_message());
  trip(fault, sentence_of(fault));
}

/// For a failed or late rig, and for an interlock, the sentence contains the adapter's own
/// reason.
std::string SiteHold::sentence_of(const Fault& fault) const {
  const bool silent = fault.kind == FaultKind::kPeerSilent;
  const std::string sentence = site_text::sentence(
      fault, site_.settings, site_.agreed,
      silent ? site_.peer.away(site_.agreed.watchdog()) : Duration::zero());
  return session::with_words_of_rig(fault, sentence,
                                    site_.rig.guard().diagnostic_message());
}

void SiteHold::trip(const Fault& fault, const std::string& sentence) {
  SiteSession& session = site_.session;
  site_.loop.give_up_checks();
  session.flags().opening = false;
  session.give_up_clearing();
  if (fault.kind != FaultKind::kUnknownDrive) question_.withdraw();
  site_.loop.enter_safe_state(fault);
  session.move(session::SessionState::kFault);
  const std::int64_t step = site_.position.executed + 1;
  // The question to a person ends with the command that answers it.
  std::string reason = sentence;
  if (!question_.open()) reason += site_text::at_step(step, site_.agreed);
  if (fault.kind == FaultKind::kJournal && site_.record.failed())
    reason += "; " + site_text::record_failed(site_.settings);
  session.set_reason(reason);
  site_.record.event(step, "fault", session.reason());
  session.latch({site_.agreed.configure.session,
                 site_.settings.name,
                 fault,
                 step,
                 session.reason(),
                 {}});
  repeat();
}

void SiteHold::add(const Fault& interlock) {
  question_.withdraw();
  const std::int64_t step = site_.position.executed + 1;
  Halt halt = site_.session.halt();
  halt.fault = interlock;
  halt.reason = site_.session.reason() + "; then " + sentence_of(interlock);
  site_.session.set_reason(halt.reason);
  site_.record.event(step, "fault", halt.reason);
  site_.session.latch(std::move(halt));
  repeat();
}

void SiteHold::check_stall() {
  const StallGuard& guard = site_.rig.guard();
  const bool latched =
      site_.session.in(session::SessionState::kFault) && !site_.session.clearing();
  if (!guard.stalled() || latched) return;
  trip({FaultKind::kStalled, -1, seconds(guard.lasted()), seconds(guard.patience())});
}

}  // namespace trestle::site_node
