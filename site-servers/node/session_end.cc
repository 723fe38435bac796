#include "site-servers/node/session_end.h"

#include <chrono>
#include <limits>
#include <utility>

#include "core/session/audit_actions.h"
#include "site-servers/node/site_text.h"

namespace trestle::site_node {

namespace {

// A process that serves one test ends without its integrator's answer after this wait for
// the disk.
constexpr Duration kLongestDisk = std::chrono::seconds(60);
constexpr Duration kLookAtDisk = std::chrono::milliseconds(10);

}  // namespace

void SessionEnd::stop(const Stop& stop) {
  SiteSession& session = site_.session;
  if (!site_.loop.exists() || !session.is_current(stop.session)) {
    // No such session exists here; the integrator need not wait for it.
    if (!session.active()) site_.peer.say(Stopped{stop.session, kInitialStep, 0, {}, {}});
    return;
  }
  if (!session.live()) {
    if (!closing_since_) site_.peer.say(stopped_);
    return;
  }
  if (session.in(session::SessionState::kStopping) || session.flags().ending) return;
  if (!asked_ && (ends_without_a_person(stop) || is_held_against(stop)))
    return stay_held(stop.reason);
  if (!stop.audit.empty())
    site_.record.audit(session::audit_peer_digest("integrator", stop.audit));
  site_.record.audit(session::audit_stopped(stop.by.empty() ? "integrator" : stop.by,
                                            "bus: integrator", stop.reason));
  begin(stop.reason);
}

bool SessionEnd::ends_without_a_person(const Stop& stop) const noexcept {
  const StepExecutor* const executor = site_.loop.executor();
  const bool held = site_.session.in(session::SessionState::kHolding) ||
                    (site_.session.in(session::SessionState::kRunning) &&
                     executor != nullptr && executor->watchdog_expired());
  return site_.rig.real() && stop.by.empty() && held;
}

/// A person here has held the rig since the integrator was told to end the test.
bool SessionEnd::is_held_against(const Stop& stop) {
  std::optional<UnheardHold>& held = site_.session.flags().unheard_hold;
  if (held && held->number == stop.hold) held.reset();  // its answer was lost
  // In FAULT the end moves nothing.
  return site_.rig.real() && site_.session.in(session::SessionState::kHolding) &&
         parts_.hold.tell_unheard();
}

/// The test is over at the integrator, and not here.
void SessionEnd::stay_held(const std::string& reason) {
  SiteSession& session = site_.session;
  if (session.move(session::SessionState::kHolding))
    parts_.hold.hold({SiteCause::SilentBeforeEnd{}});
  if (!std::exchange(session.flags().left_held, true)) {
    session.set_reason(site_text::left_held(session.reason(), reason, site_.settings.name));
    site_.note("state", "HOLDING: " + session.reason());
  }
  parts_.heartbeats.say_heartbeat();
}

void SessionEnd::ask(const SiteCause& cause, const std::string& by) {
  const std::string why = site_text::sentence(cause, site_.agreed);
  asked_ = {.why = why, .by = by};
  if (site_.session.silent() || site_.session.flags().left_held) return begin(why);
  parts_.hold.halt({FaultKind::kStopped, -1, 0.0, 0.0}, cause, by);
  if (site_.session.in(session::SessionState::kHolding)) site_.session.set_reason(why);
}

bool SessionEnd::tell_stop_again() {
  if (!asked_ || !site_.session.live()) return false;
  parts_.hold.tell({FaultKind::kStopped, -1, 0.0, 0.0}, asked_->why, asked_->by);
  return true;
}

bool SessionEnd::moves_rig_for_person() const noexcept {
  return asked_ && site_.session.in(session::SessionState::kStopping);
}

void SessionEnd::begin(const std::string& reason) {
  if (asked_) asked_->begun = true;
  SiteSession& session = site_.session;
  if (session.in(session::SessionState::kRunning) ||
      session.in(session::SessionState::kHolding)) {
    session.move(session::SessionState::kStopping);
    if (asked_) session.set_reason(reason);
    site_.note("state", "STOPPING: " + reason);
    // Never armed: nothing moves now. A rig whose start-up checks ended in FAULT stays
    // where they left it, a polarity motion away at most; a person moves it (trestle rig
    // home).
    if (!session.armed()) return ramped();
    // If no target of this test has moved the rig, its end moves it neither: a person may
    // have asked for a hold.
    site_.loop.order(site_.position.aimed ? LoopCommand::Kind::kRamp
                                          : LoopCommand::Kind::kRest);
    return;
  }
  // A fault stays latched, and its safe action ends at its own pace; before RUNNING nothing
  // has moved.
  session.flags().ending =
      session.in(session::SessionState::kFault) && !site_.loop.at_rest();
  if (session.flags().ending) return;
  if (session.in(session::SessionState::kArmed))
    session.move(session::SessionState::kConfigured);
  if (!session.in(session::SessionState::kStopping)) finish();
}

void SessionEnd::ramped() {
  // Held or in FAULT meanwhile: the Stop is said again.
  if (!site_.session.in(session::SessionState::kStopping)) return;
  site_.session.move(session::SessionState::kConfigured);
  finish();
}

void SessionEnd::poll() {
  // What the loop has told by then is heard first: it may be a stronger interlock.
  const StepExecutor* const executor = site_.loop.executor();
  const bool heard = executor == nullptr || executor->front_event() == nullptr;
  if (site_.session.flags().ending && site_.loop.at_rest() && heard) finish();
  site_.record.write_late_audit();
  if (closing_since_) say_stopped();
}

TimePoint SessionEnd::due() const noexcept {
  return closing_since_ ? site_.peer.now() + kLookAtDisk : TimePoint::max();
}

std::optional<PendingWait> SessionEnd::disk_wait() const {
  const std::string file = site_.record.closing();
  if (file.empty()) return std::nullopt;
  PendingWait wait{"the disk of " + file, "the end of the record", 0.0,
                   std::numeric_limits<double>::infinity(), "no new test begins before"};
  if (!closing_since_) return wait;
  const Duration since = site_.peer.now() - *closing_since_;
  wait.since = seconds(since);
  wait.until = seconds(kLongestDisk - since);
  wait.then =
      "the session ends without it; the rest of the record is in the ring file "
      "beside it";
  return wait;
}

/// Not before the record is in one file: the integrator may fetch it then.
void SessionEnd::say_stopped() {
  const bool closed = site_.record.closing().empty();
  if (!closed && site_.peer.now() - *closing_since_ < kLongestDisk) return;
  closing_since_.reset();
  ++count_;
  if (closed) site_.peer.say(stopped_);
}

void SessionEnd::finish() {
  SiteSession& session = site_.session;
  site_.loop.give_up_checks();
  session.flags().unheard_hold.reset();
  session.flags().ending = false;
  session.flags().opening = false;
  asked_.reset();
  parts_.steps.close();
  site_.loop.finish();
  const bool faulted = session.in(session::SessionState::kFault);
  site_.note("state", faulted ? "FAULT stays latched: " + session.reason()
                              : std::string("CONFIGURED"));
  site_.notes.record_sums(true);
  const std::string digest = site_.record.audit_digest();
  site_.record.close();
  if (!faulted) session.set_reason({});
  session.end();
  stopped_ = {site_.agreed.configure.session, site_.position.executed, site_.position.ticks,
              site_.loop.timing(), digest};
  closing_since_ = site_.peer.now();
  say_stopped();
}

void SessionEnd::check_watchdog() {
  SiteSession& session = site_.session;
  if (!session.live() || !session.silent()) return;
  if (asked_ && !asked_->begun) return begin(std::string(asked_->why));
  const SiteCause::Silence silence{site_.peer.silence(), site_.agreed.configure.watchdog,
                                   site_.peer.away(site_.agreed.watchdog())};
  if (session.in(session::SessionState::kRunning)) {
    if (site_.settings.safe_action.kind != safety::SafeAction::Kind::kHold)
      return parts_.hold.trip(
          {FaultKind::kPeerSilent, -1, seconds(silence.lasted), silence.watchdog});
    session.move(session::SessionState::kHolding);
    parts_.hold.hold({silence});
  } else if (session.in(session::SessionState::kArmed) ||
             session.in(session::SessionState::kConfigured)) {
    give_up(site_text::sentence({silence}, site_.agreed));
  }
}

/// Nothing has moved yet: the next test may come.
void SessionEnd::give_up(const std::string& why) {
  if (site_.session.in(session::SessionState::kArmed)) site_.rig.guard().hold();
  site_.session.move(session::SessionState::kConfigured);
  site_.note("state", "CONFIGURED: " + why);
  finish();
  // So that an integrator that was only late begins again with it.
  site_.agreed.configure.session = {};
}

}  // namespace trestle::site_node
