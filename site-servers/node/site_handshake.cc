// The part of SiteNode that agrees on a session and ends it.
#include <cmath>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <utility>

#include "core/session/audit_actions.h"
#include "core/session/contract_checks.h"
#include "core/session/session_contract.h"
#include "site-servers/node/agreed_limits.h"
#include "site-servers/node/limit_merge.h"
#include "site-servers/node/site_node.h"
#include "site-servers/node/specimen_mass.h"

namespace trestle {
namespace {

std::string text(const Version& version) {
  return std::to_string(version.major) + "." + std::to_string(version.minor);
}

}  // namespace

void SiteNode::handle_session(const SessionMessage& message) {
  if (const auto* welcome = std::get_if<Welcome>(&message)) {
    on_welcome(*welcome);
  } else if (const auto* configure = std::get_if<Configure>(&message)) {
    if (rig_ready_for(*configure)) on_configure(*configure);
  } else if (const auto* arm = std::get_if<Arm>(&message)) {
    if (ours(arm->session)) on_arm(*arm);
  } else if (const auto* start = std::get_if<Start>(&message)) {
    if (ours(start->session)) on_start(*start);
  } else if (const auto* beat = std::get_if<Heartbeat>(&message)) {
    if (ours(beat->session)) on_heartbeat(*beat);
  } else if (const auto* halt = std::get_if<Halt>(&message)) {
    if (ours(halt->session)) on_halt(*halt);
  } else if (const auto* resume = std::get_if<Resume>(&message)) {
    if (ours(resume->session)) on_resume(*resume);
  } else if (const auto* stop = std::get_if<Stop>(&message)) {
    on_stop(*stop);
  } else if (const auto* fetch = std::get_if<RecordRequest>(&message)) {
    on_fetch(*fetch);
  } else if (const auto* refusal = std::get_if<Rejection>(&message)) {
    if (!live_ && !session_.in(SessionState::kFault)) reason_ = refusal->reason;
  }
}

void SiteNode::on_welcome(const Welcome& welcome) {
  if (!session_.in(SessionState::kOffline)) return;
  if (welcome.protocol.major == kProtocolVersion.major) {
    session_.move(SessionState::kConnected);
    reason_.clear();
  } else {
    reason_ = "the integrator speaks protocol " + text(welcome.protocol) + " (trestle " +
              welcome.software + "), this site " + text(kProtocolVersion) + " (trestle " +
              settings_.software + "); update the older one";
  }
}

std::string SiteNode::refusal_of(const Configure& configure) const {
  if (session_.in(SessionState::kFault))
    return "it is in FAULT (" + reason_ + "); a person has to clear that at the site";
  // A simulated rig breaks nothing when a test whose integrator went away is given up.
  const bool may_drop = !rig_.real_equipment && (session_.in(SessionState::kHolding) ||
                                                 session_.in(SessionState::kArmed));
  if (session_.active() && !may_drop)
    return "it is " + std::string(trestle::name(session_.state())) + " in test " +
           agreed_.configure.test;
  if (loop_.checking())
    return "it looks at its rig (start-up checks) for test " + agreed_.configure.test +
           "; ask again when that is over";
  return refusal_of_test(configure, settings_, rig_, adapter_.accelerations().size());
}

void SiteNode::on_configure(const Configure& message) {
  if (message.resume) return on_configure_again(message);
  if (loop_.exists() && message.session == agreed_.configure.session) {
    // The same again: the same answer, and nothing is set up twice.
    if (live_ && ours(message.session)) say(agreed_.configured);
    return;
  }
  const std::string why = refusal_of(message);
  if (!why.empty()) return notes_.refuse(why);
  try {
    configure(message);
  } catch (const std::exception& error) {
    loop_.finish();
    loop_.drop();
    record_.close();
    reason_ = error.what();
    notes_.refuse(reason_);
  }
}

void SiteNode::configure(const Configure& configure) {
  set_up(configure);
  past_.reset();
  record_.open(configure, agreed_.configured.contract, settings_.name, settings_.software,
               agreed_.actuators,
               tick_channels(settings_.name, agreed_.actuators, rig_.extra), drives_kept());
  make_loop();
  position_.executed = kInitialStep;
  position_.ticks = 0;
  reason_.clear();
  live_ = true;
  peer_.note_sign_of_life();
  session_.move(SessionState::kConfigured);
  record_.audit(audit_configured("integrator", "bus: integrator", agreed_.contract_hash));
  if (settings_.insecure) record_.audit(audit_insecure(settings_.name, "site file"));
  for (const std::string& line : agreed_.configured.tightened_limits)
    record_.audit(audit_limit(settings_.name, "site file", line));
  const std::string missing = missing_limits(agreed_.configured.limits, agreed_.actuators);
  if (rig_.real_equipment && settings_.without_limits && !missing.empty())
    record_.audit(audit_override(settings_.without_limits->by, "site file",
                                 "arming.without_limits",
                                 missing + "; " + settings_.without_limits->reason));
  say(agreed_.configured);
}

/// What both ends agree on; nothing is recorded yet, and nothing moves.
void SiteNode::set_up(const Configure& configure) {
  session_ = SiteStateMachine{};
  session_.move(SessionState::kConnected);
  live_ = false;
  loop_.finish();
  record_.close();
  loop_.drop();
  agreed_.configure = configure;
  agreed_.rules = rules_named(configure.mode);
  position_.ticks = 0;
  peer_.comparison().restart();
  peer_.comparison().use_system_clocks(configure.pace.system_clock);
  const double tick = agreed_.tick();
  agreed_.actuators =
      describe_actuators(rig_.actuators, configure.layout, *settings_.loading_frame);
  std::vector<std::string> tightened_limits;
  agreed_.layout =
      merge_limits(configure.layout, apply_site_limits(settings_, configure.layout),
                   &tightened_limits, settings_.limit_place);
  RigLimits limits = merge_limits(configure.limits, settings_.limits, &tightened_limits,
                                  kinds_of(agreed_.actuators), settings_.limit_place);
  limits.resize(agreed_.actuators.size());
  if (rig_.real_equipment)
    if (const std::string why =
            refusal_without_limits(limits, agreed_.actuators, settings_.without_limits);
        !why.empty())
      throw std::runtime_error(why);
  limit_rates_to_actuators(limits, *settings_.loading_frame, agreed_.layout);
  const int count = static_cast<int>(agreed_.actuators.size());
  compensator_ =
      settings_.control_chain->make_compensator(configure.compensator, count, tick);
  controller_ = settings_.control_chain->make_controller(configure.controller, count, tick);
  prepare_rig();
  agreed_.configured = {configure.session,           agreed_.layout,
                        agreed_.actuators,           limits,
                        std::move(tightened_limits), {}};
  agreed_.configured.contract = contract_text(
      description(), configure, agreed_.configured,
      {settings_.control_chain->format_compensator(configure.compensator),
       settings_.control_chain->format_controller(configure.controller), settings_.stated});
  agreed_.contract_hash = contract_hash(agreed_.configured.contract);
  checked_ = false;
  left_held_ = false;
}

/// Of real equipment, whose state nobody can restore.
Channels SiteNode::drives_kept() const {
  return rig_.real_equipment ? drive_channels(settings_.name, agreed_.actuators)
                             : Channels{};
}

void SiteNode::on_start(const Start& start) {
  if (!live_) return;
  if (session_.in(SessionState::kRunning) && position_.executed == kInitialStep)
    return send_answer();  // asked again: the initial measurement is made once
  if (!session_.in(SessionState::kArmed) || opening_) return;
  if (agreed_.rules->timed_loop && peer_.comparison().known())
    if (const std::string why =
            refusal_of_moment("the run would begin in", peer_.comparison().to_own(start.at),
                              peer_.now(), settings_.longest.ahead);
        !why.empty())
      return notes_.refuse(why);
  if (loop_.by_loop()) {
    opening_ = true;  // RUNNING when the read is there
    peer_.set_session_zero(start.at);
    return loop_.order(LoopCommand::Kind::kOpen);
  }
  session_.move(SessionState::kRunning);
  record_.event(position_.executed, "state", "RUNNING");
  if (const Fault fault = loop_.control().sense(TimePoint{})) return trip(fault);
  loop_.control().answer(response_);
  response_.session = agreed_.configure.session;
  response_.step = kInitialStep;
  response_.measured_at = TimePoint{};
  if (!record_.opening(response_)) return trip({FaultKind::kJournal, -1, 0.0, 0.0});
  save_state(kInitialStep);
  send_answer();
  peer_.set_session_zero(start.at);
  loop_.executor()->message_received(peer_.now());
  loop_.order(LoopCommand::Kind::kStart, peer_.comparison().to_own(peer_.session_zero()));
}

void SiteNode::on_heartbeat(const Heartbeat& beat) {
  peer_.compare_clocks(beat);
  // Before the run an integrator that compares clocks speaks often, to be answered at once.
  const bool compared = session_.in(SessionState::kConfigured) ||
                        session_.in(SessionState::kHolding) ||
                        agreed_.configure.pace.system_clock;
  if (live_ && compared) say_heartbeat();
}

void SiteNode::on_halt(const Halt& halt) {
  if (!live_) return;
  loop_.give_up_checks();
  if (!session_.in(SessionState::kHolding) && session_.move(SessionState::kHolding)) {
    record_.audit(
        audit_held(halt.by.empty() ? halt.node : halt.by, "bus: integrator", halt.reason));
    hold_because(halt.reason.starts_with(halt.node + ": ")
                     ? halt.reason
                     : halt.node + ": " + halt.reason);
  }
  if (!told_to_rest()) return say_heartbeat();
  told_rig_ = "";  // the word how the rig is goes out with this tick, and again on change
}

void SiteNode::on_stop(const Stop& stop) {
  give_up_preparation(stop.session);
  if (!loop_.exists() || !ours(stop.session)) {
    // Nothing of that session stands here; whoever waits for it need not.
    if (!session_.active()) say(Stopped{stop.session, kInitialStep, 0, {}, {}});
    return;
  }
  if (!live_) return say(stopped_);
  if (session_.in(SessionState::kStopping) || ending_) return;  // on its way
  if (ends_without_a_person(stop)) return stay_held(stop.reason);
  if (!stop.audit.empty()) record_.audit(audit_peer_digest("integrator", stop.audit));
  record_.audit(audit_stopped(stop.by.empty() ? "integrator" : stop.by, "bus: integrator",
                              stop.reason));
  bring_to_end(stop.reason);
}

/// The normal end of a test ramps a rig home that runs. One that is held stays where it is
/// until a person says otherwise, here or at the integrator.
bool SiteNode::ends_without_a_person(const Stop& stop) const noexcept {
  const bool held = session_.in(SessionState::kHolding) ||
                    (session_.in(SessionState::kRunning) && loop_.executor() != nullptr &&
                     loop_.executor()->watchdog_expired());
  return rig_.real_equipment && stop.by.empty() && held;
}

/// The test is over at the integrator, and not here.
void SiteNode::stay_held(const std::string& reason) {
  if (session_.move(SessionState::kHolding)) hold_because("the integrator was silent");
  if (!std::exchange(left_held_, true)) {
    reason_ += (reason_.empty() ? "" : "; ") +
               ("the integrator has ended the test (" + reason +
                "), and a rig that is held does not move by itself: trestle stop " +
                settings_.name + " brings it to its safe position");
    record_.event(position_.executed, "state", "HOLDING: " + reason_);
  }
  say_heartbeat();
}

void SiteNode::bring_to_end(const std::string& reason) {
  if (session_.in(SessionState::kRunning) || session_.in(SessionState::kHolding)) {
    session_.move(SessionState::kStopping);
    record_.event(position_.executed, "state", "STOPPING: " + reason);
    loop_.order(LoopCommand::Kind::kRamp);
    return;
  }
  // A fault stays latched, and its safe action is let come to its end at its own pace;
  // before RUNNING nothing has moved.
  ending_ = session_.in(SessionState::kFault) && !loop_.at_rest();
  if (ending_) return;
  if (session_.in(SessionState::kArmed)) session_.move(SessionState::kConfigured);
  if (!session_.in(SessionState::kStopping)) end_session();
}

/// The rig is held where a check had it, and the test is told why it is not armed.
void SiteNode::end_checks(const std::string& why) {
  loop_.give_up_checks();
  notes_.refuse("start-up check: " + why + "; the rig holds where it was");
}

/// Files are read in peace only: nobody's step waits for them.
void SiteNode::on_fetch(const RecordRequest& fetch) {
  RecordChunk chunk{
      .session = fetch.session, .offset = fetch.offset, .content = {}, .problem = {}};
  if (conversing())
    chunk.problem = "it is " + std::string(trestle::name(session_.state())) + " in test " +
                    agreed_.configure.test + "; ask again when that is over";
  else if (records_ == nullptr)
    chunk.problem = "it keeps no records";
  else
    chunk = records_->read_chunk(fetch);
  say(chunk);
}

void SiteNode::end_session() {
  loop_.give_up_checks();
  ending_ = false;
  opening_ = false;
  unsure_order_.reset();
  unsure_answer_ = false;
  name_missed();
  loop_.finish();
  const bool faulted = session_.in(SessionState::kFault);
  record_.event(position_.executed, "state",
                faulted ? "FAULT stays latched: " + reason_ : std::string("CONFIGURED"));
  notes_.record_sums(true);
  const std::string digest = record_.audit_digest();
  record_.close();
  if (!faulted) reason_.clear();
  live_ = false;
  ++sessions_ended_;
  stopped_ = {agreed_.configure.session, position_.executed, position_.ticks,
              loop_.timing(), digest};
  say(stopped_);
}

SiteDescription SiteNode::description() const {
  std::vector<std::string> modes = all_execution_modes();
  if (rig_.real_equipment)
    std::erase_if(modes,
                  [](const std::string& mode) { return !rules_named(mode)->timed_loop; });
  return {settings_.name,
          settings_.software,
          settings_.loading_frame->interface_dofs(),
          rig_.actuators,
          modes,
          rig_.real_equipment,
          rig_.hardware_watchdog,
          rig_.shortest_tick};
}

Busy SiteNode::busy() const {
  Busy busy;
  busy.session = agreed_.configure.session;
  busy.test = agreed_.configure.test;
  if (arm_.session == agreed_.configure.session) busy.by = arm_.by;
  busy.state = trestle::name(session_.state());
  busy.step = position_.executed;
  return busy;
}

void SiteNode::say_hello() {
  Hello hello{kProtocolVersion, description(), agreed_.configure.session,
              position_.executed};
  hello.can_resume = can_resume();
  if (past_ && !live_) {
    hello.last_session = past_->session;
    hello.last_step = past_->last_step;
    hello.unconfirmed_step = past_->in_doubt;
  }
  say(hello);
}

}  // namespace trestle
