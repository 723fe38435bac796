#include "site-servers/node/site_heartbeats.h"

#include <algorithm>
#include <string_view>

#include "site-servers/node/site_description.h"

namespace trestle::site_node {

void SiteHeartbeats::say_hello() {
  Hello hello{kProtocolVersion, describe_site(site_.settings, site_.rig.description()),
              site_.agreed.configure.session, site_.position.executed};
  hello.can_resume = site_.session.can_resume();
  const auto& past = site_.session.interrupted();
  if (past && !site_.session.live()) {
    hello.last_session = past->session;
    hello.last_step = past->last_step;
    hello.unconfirmed_step = past->in_doubt;
  }
  if (!hello.can_resume) say_latched_fault(hello.last_session);
  site_.peer.say(hello);
}

void SiteHeartbeats::say_ended(const SessionId& session, std::int64_t last_step) {
  site_.peer.say(Hello{kProtocolVersion,
                       describe_site(site_.settings, site_.rig.description()), session,
                       last_step});
}

/// The session is over here, and the fault is not: an integrator that comes to end its test
/// is told before it takes the site for one that is at rest.
void SiteHeartbeats::say_latched_fault(const SessionId& session) {
  if (!site_.session.in(session::SessionState::kFault) || site_.session.live() ||
      session == SessionId{})
    return;
  // Of a fault of an earlier process the sentence alone is known.
  Fault fault = site_.session.halt().fault;
  if (!fault) fault.kind = FaultKind::kAdapter;
  site_.peer.say(Halt{
      .session = session,
      .node = site_.settings.name,
      .fault = fault,
      .step = site_.position.executed,
      .reason = site_.session.reason(),
      .by = {},
      .over = session == site_.agreed.configure.session && !site_.session.can_resume()});
}

void SiteHeartbeats::say_heartbeat() {
  const Configure& configure = site_.agreed.configure;
  Heartbeat beat = site_.peer.heartbeat(configure.session, configure.pace.system_clock);
  beat.health = rig_.health();
  forget_earlier_test();
  beat.said = own_;
  told_state_ = site_.session.state();
  told_rig_ = rig_.word();
  site_.peer.say_heartbeat(beat);
}

/// The messages of a test before are none of this one.
void SiteHeartbeats::forget_earlier_test() {
  const SessionId& session = site_.agreed.configure.session;
  if (session_ == session) return;
  session_ = session;
  own_ = heard_ = said_ = {};
}

void SiteHeartbeats::announce(const std::string& by, const std::string& text) {
  forget_earlier_test();
  own_ = {std::max(own_.number, site_.peer.now().time_since_epoch().count()) + 1, by, text};
  said_ = own_;
  site_.note("said", by + ": " + text);
  say_heartbeat();
}

/// The integrator passes this site's own message on to all, and so back.
void SiteHeartbeats::hear(const Announcement& said) {
  forget_earlier_test();
  if (said.number == 0 || said == heard_) return;
  heard_ = said;
  if (own_.number != 0 && said.by == own_.by && said.text == own_.text) return;
  if (site_.notes.said(said.by + ": " + said.text)) said_ = said;
}

void SiteHeartbeats::tell_changes() {
  const SiteSession& session = site_.session;
  if (!session.conversing() ||
      (!session.told_to_rest() && told_state_ != session::SessionState::kFault))
    return;
  const std::string_view is = rig_.word();
  if (session.in(told_state_) && is == told_rig_) return;
  if (site_.rig.real() && is != told_rig_)
    site_.record.event(site_.position.executed, "rig", rig_.word());
  say_heartbeat();
}

void SiteHeartbeats::send_due(bool preparing) {
  const Duration period = site_.agreed.heartbeat_period();
  if (preparing) {  // an integrator that waits hears that the site is there
    if (site_.peer.is_word_due(period, false)) say_heartbeat();
    return;
  }
  if (site_.peer.spoke() && site_.peer.now() < next_due()) return;
  if (!site_.session.conversing())
    say_hello();
  else if (site_.peer.is_word_due(period, site_.rig.real()))
    say_heartbeat();
}

TimePoint SiteHeartbeats::next_due() const noexcept {
  const IntegratorPeer& peer = site_.peer;
  if (!site_.session.conversing()) return peer.said_at() + site_.settings.hello_period;
  const TimePoint due =
      std::min(peer.next_word(site_.agreed.heartbeat_period(), site_.rig.real()),
               peer.heard_at() + site_.agreed.watchdog());
  const StepExecutor* const executor = site_.loop.executor();
  return executor == nullptr ? due : std::min(due, executor->events_due(peer.now()));
}

}  // namespace trestle::site_node
