#include "site-servers/node/integrator_messages.h"

#include <optional>
#include <variant>

#include "core/session/audit_actions.h"
#include "site-servers/node/longest_times.h"
#include "site-servers/node/site_text.h"

namespace trestle::site_node {

void IntegratorMessages::handle(const ReceivedMessage& message) {
  if (site_.session.flags().leaving) return;
  if (message.kind == ReceivedMessage::Kind::kMalformed)
    site_.notes.malformed(message.problem);  // not a sign of life
  else if (message.kind == ReceivedMessage::Kind::kStepCommand)
    on_step(message.command);
  else if (message.kind == ReceivedMessage::Kind::kSession)
    handle(message.session);
}

void IntegratorMessages::handle(const SessionMessage& message) {
  SiteSession& session = site_.session;
  if (const auto* welcome = std::get_if<Welcome>(&message)) {
    on_welcome(*welcome);
  } else if (const auto* configure = std::get_if<Configure>(&message)) {
    on_configure(*configure);
  } else if (const auto* arm = std::get_if<Arm>(&message)) {
    if (session.is_current(arm->session) && !parts_.end.tell_stop_again())
      parts_.arming.arm(*arm);
  } else if (const auto* start = std::get_if<Start>(&message)) {
    if (session.is_current(start->session)) on_start(*start);
  } else if (const auto* beat = std::get_if<Heartbeat>(&message)) {
    if (session.is_current(beat->session)) on_heartbeat(*beat);
  } else if (const auto* halt = std::get_if<Halt>(&message)) {
    if (session.is_current(halt->session)) on_halt(*halt);
  } else if (const auto* resume = std::get_if<Resume>(&message)) {
    if (session.is_current(resume->session) && !parts_.end.tell_stop_again() &&
        !parts_.recovery.is_held_against(*resume))
      parts_.recovery.resume(*resume);
  } else if (const auto* stop = std::get_if<Stop>(&message)) {
    parts_.readiness.give_up(stop->session);
    parts_.end.stop(*stop);
  } else if (const auto* request = std::get_if<RecordRequest>(&message)) {
    on_request(*request);
  } else if (const auto* rejection = std::get_if<Rejection>(&message)) {
    on_rejection(*rejection);
  }
}

void IntegratorMessages::on_welcome(const Welcome& welcome) {
  SiteSession& session = site_.session;
  if (!session.in(session::SessionState::kOffline)) return;
  if (welcome.protocol.major != kProtocolVersion.major)
    return session.set_reason(site_text::other_protocol(welcome, site_.settings));
  session.move(session::SessionState::kConnected);
  // A person's hold is why it stays, until its test is resumed.
  const std::optional<InterruptedSession>& past = session.interrupted();
  if (!past || !past->held) session.set_reason({});
}

void IntegratorMessages::on_configure(const Configure& message) {
  if (parts_.service.under_way())
    return site_.notes.refuse(site_text::rig_commanded(parts_.service.doing()) +
                              "; ask again when that is over");
  const bool sets_up =
      message.resume ? parts_.recovery.sets_up(message) : parts_.setup.sets_up(message);
  if (parts_.readiness.is_ready_for(message, sets_up)) configure(message);
}

void IntegratorMessages::configure(const Configure& message) {
  if (message.resume)
    parts_.recovery.configure_again(message);
  else
    parts_.setup.configure(message);
}

TimePoint IntegratorMessages::poll_rig() {
  TimePoint due;
  if (const std::optional<Configure> message = parts_.readiness.poll(due)) {
    parts_.readiness.begin_handling(*message);
    configure(*message);
    parts_.readiness.end_handling();
  }
  return due;
}

void IntegratorMessages::on_start(const Start& start) {
  SiteSession& session = site_.session;
  if (!session.live() || parts_.end.tell_stop_again() || parts_.arming.tell_held()) return;
  if (session.in(session::SessionState::kRunning) &&
      site_.position.executed == kInitialStep)
    return parts_.steps.send_answer();  // the initial measurement is made once
  if (!session.in(session::SessionState::kArmed) || session.flags().opening ||
      is_too_far(start))
    return;
  if (site_.rig.by_loop()) {
    session.flags().opening = true;  // RUNNING when the read is there
    site_.peer.set_session_zero(start.at);
    return site_.loop.order(LoopCommand::Kind::kOpen);
  }
  session.move(session::SessionState::kRunning);
  site_.note("state", "RUNNING");
  if (!parts_.steps.open()) return;
  site_.peer.set_session_zero(start.at);
  site_.loop.executor()->message_received(site_.peer.now());
  site_.loop.order(LoopCommand::Kind::kStart,
                   site_.peer.comparison().to_own(site_.peer.session_zero()));
}

/// Its moment is farther away than the site allows; then it is refused.
bool IntegratorMessages::is_too_far(const Start& start) {
  const timing::PeerClock& clocks = site_.peer.comparison();
  if (!site_.agreed.rules->timed_loop || !clocks.known()) return false;
  const std::string why =
      refusal_of_moment("the run would begin in", clocks.to_own(start.at), site_.peer.now(),
                        site_.settings.longest.ahead);
  if (!why.empty()) site_.notes.refuse(why);
  return !why.empty();
}

void IntegratorMessages::on_heartbeat(const Heartbeat& beat) {
  site_.peer.compare_clocks(beat);
  parts_.heartbeats.hear(beat.said);
  // Before the run an integrator compares clocks by frequent messages, which need immediate
  // replies.
  const SiteSession& session = site_.session;
  const bool compared = session.in(session::SessionState::kConfigured) ||
                        session.in(session::SessionState::kHolding) ||
                        site_.agreed.configure.pace.system_clock;
  if (session.live() && compared) parts_.heartbeats.say_heartbeat();
}

/// An integrator of an older version answers a person's hold by its words alone.
void IntegratorMessages::hear_answer(const Halt& halt) {
  std::optional<UnheardHold>& held = site_.session.flags().unheard_hold;
  if (!held) return;
  const bool by_words = halt.hold == 0 && halt.node == site_.settings.name &&
                        held->said.who == halt.by &&
                        halt.reason.find(held->said.text) != std::string::npos;
  if (halt.hold != held->number && !by_words) return;
  // A process after this one tells it no more.
  site_.record.audit(session::audit_heard("bus: integrator", held->said));
  held.reset();
}

void IntegratorMessages::on_halt(const Halt& halt) {
  SiteSession& session = site_.session;
  if (!session.live()) return;
  hear_answer(halt);
  if (halt.by.empty() && parts_.end.moves_rig_for_person())
    return parts_.heartbeats.say_heartbeat();
  site_.loop.give_up_checks();
  if (!session.in(session::SessionState::kHolding) &&
      session.move(session::SessionState::kHolding)) {
    site_.record.audit(session::audit_held(halt.by.empty() ? halt.node : halt.by,
                                           "bus: integrator", halt.reason));
    parts_.hold.hold({SiteCause::Halted{halt.node, halt.reason}});
  }
  if (!session.told_to_rest()) return parts_.heartbeats.say_heartbeat();
  // How the rig is goes out with this tick, and again on change.
  parts_.heartbeats.forget_told_rig();
}

/// Files are read while no test is under way: no step waits for them.
void IntegratorMessages::on_request(const RecordRequest& request) {
  RecordChunk chunk{
      .session = request.session, .offset = request.offset, .content = {}, .problem = {}};
  if (site_.session.conversing())
    chunk.problem = site_text::busy_in_test(site_.session, site_.agreed) +
                    "; ask again when that is over";
  else if (parts_.records == nullptr)
    chunk.problem = "it keeps no records";
  else
    chunk = parts_.records->read_chunk(request);
  site_.peer.say(chunk);
}

void IntegratorMessages::on_rejection(const Rejection& rejection) {
  if (!site_.session.live() && !site_.session.in(session::SessionState::kFault))
    site_.session.set_reason(rejection.reason);
}

void IntegratorMessages::on_step(const StepCommand& command) {
  if (parts_.readiness.under_way())
    return site_.notes.refuse("a step came while its rig gets ready");
  SiteSession& session = site_.session;
  if (!session.is_current(command.session)) {
    // In a session it is a late message of another one.
    if (session.conversing()) return site_.notes.ignored("a step of another session");
    if (session.in(session::SessionState::kOffline))
      return;  // restarted: the Hello says so
    return site_.notes.refuse("a step of another session came");
  }
  site_.peer.compare_clocks(command);
  if (!parts_.steps.serve(command)) return;
  parts_.events.follow();
  parts_.steps.finish_step();  // it is over, however it went
}

}  // namespace trestle::site_node
