#include "numerical/node/integrator_node.h"

#include <algorithm>
#include <cmath>
#include <exception>

#include "core/session/audit_words.h"
#include "core/session/channel_names.h"

namespace trestle {
namespace {

// A flood of messages must not keep a tick from ending.
constexpr int kMessagesPerTick = 64;
}  // namespace

IntegratorNode::IntegratorNode(const IntegratorSettings& settings,
                               NumericalSubstructure& substructure, Transport& transport,
                               Recorder& recorder, const Clock& clock)
    : settings_(settings),
      rules_(rules_of(settings.mode)),
      transport_(transport),
      recorder_(recorder),
      clock_(clock),
      peers_(settings_, transport),
      record_(settings_, substructure, recorder),
      exchange_(settings_, {substructure, record_, peers_, times_, clock}),
      recovery_(settings_, {substructure, recorder, record_, peers_, exchange_, times_}),
      compared_(settings.sites.size()) {}

TimePoint IntegratorNode::tick(TimePoint now) {
  times_.now = now;
  if (!started_) {
    started_ = true;
    times_.deadline.set(now, settings_.connect);
    times_.deadline.limit(now, longest_wait(settings_.connect));
    for (SitePeer& peer : peers_) peer.begin(now);
    if (settings_.retell) begin_retelling();
  }
  bool worked = false;
  for (int n = 0; n < kMessagesPerTick && transport_.receive(incoming_); ++n) {
    worked = true;
    times_.received = clock_.now();
    handle(incoming_);
  }
  const Phase before = phase_;
  const std::int64_t step = exchange_.step();
  advance();
  check_deadline();
  worked = worked || exchange_.step() != step || phase_ != before ||
           phase_ == Phase::kReplaying || recovery_.searches();
  note_waits();
  if (phase_ == Phase::kDone) return TimePoint::max();
  send_heartbeats();
  return worked ? now : next_due();
}

void IntegratorNode::handle_response(SitePeer& peer, std::size_t site,
                                     const StepResponse& response) {
  if (response.session != settings_.session) return;
  if (phase_ == Phase::kCatchingUp) return repeat(peer, site, response);
  if (phase_ != Phase::kOpening && phase_ != Phase::kRunning) return;
  peer.clock.incoming(response.exchange, times_.received);
  peer.words.answered(times_.now);
  const AnswerVerdict verdict = exchange_.accept(site, response, phase_ == Phase::kRunning);
  if (verdict == AnswerVerdict::kNotUsed) return;
  if (verdict != AnswerVerdict::kUsed && verdict != AnswerVerdict::kOpening)
    return fail(RunResult::kStopped, run_text::bad_answer(verdict, peer, response),
                "integrator",
                Fault{verdict == AnswerVerdict::kNotFinite ? FaultKind::kNotFinite
                                                           : FaultKind::kStopped,
                      -1, 0.0, 0.0});
  peer.words.tell(SessionState::kRunning, "moves", times_.now);
  if (verdict == AnswerVerdict::kOpening) peer.read(times_.now);
}

void IntegratorNode::advance() {
  if (recovery_.searches() && phase_ != Phase::kHeld) recovery_.end_search();
  switch (phase_) {
    case Phase::kConnecting:
      if (peers_.all_sites_in(SessionState::kConfigured) &&
          peers_.clocks_known(times_.now) && armed_by_somebody())
        arm();
      return;
    case Phase::kReplaying:
      return replay();
    case Phase::kOpening:
      ask_for_opening_reads();
      if (peers_.all_sites_in(SessionState::kRunning) && exchange_.barrier().complete())
        open_run();
      return;
    case Phase::kRunning:
      if (settings_.targets != nullptr && !follow_source()) return;
      if (unsafe_) {
        if (recorder_.failed()) return fail_record();
        if (!safe()) return;
        record_.ledger().target_recorded(exchange_.step(), clock_.now());
        exchange_.send();
      }
      if (!exchange_.ready())
        if (const auto missed = exchange_.make_up())
          return stop_on_missed_responses(*missed);
      if (exchange_.ready()) close_step();
      return;
    case Phase::kHolding:
      if (!waiting_for_nobody()) return;
      if (end_.leaving) return left();
      if (!pausing_) return stop_sites();
      phase_ = Phase::kHeld;
      wait_while_held();
      return;
    case Phase::kHeld:
      if (recovery_.searches()) return go_through_lost_steps();
      if (may_go_on()) go_on();
      return;
    case Phase::kResuming:
      if (peers_.all_sites_in(SessionState::kRunning)) run_on();
      return;
    case Phase::kCatchingUp:
      return catch_up();
    case Phase::kStopping:
      if (waiting_for_nobody()) finish();
      return;
    case Phase::kDone:
      return;
  }
}

/// Of all when all are armed; later of a site that had to begin anew.
void IntegratorNode::ask_for_opening_reads() {
  if (!opening_reads_) {
    if (!peers_.all_sites_in(SessionState::kArmed)) return;
    opening_reads_ = true;
    times_.zero =
        exchange_.schedule().zero_at_start(times_.now, peers_.longest_round_trip());
  }
  for (SitePeer& peer : peers_) {
    if (!peer.session.start()) continue;
    peer.send(Start{settings_.session, times_.zero}, times_.now);
    peer.ordered(times_.now);
    times_.deadline.set(times_.now, settings_.answer);
  }
}

void IntegratorNode::open_run() {
  recorder_.event(0, "state", "RUNNING");
  phase_ = Phase::kRunning;
  record_.begin_ledger(times_.zero);
  transport_.stamp_with(clock_);
  const CloseVerdict verdict = exchange_.close_opening();
  if (verdict == CloseVerdict::kRowLost) return fail_record();
  if (verdict == CloseVerdict::kDiverged)
    return fail(RunResult::kStopped,
                "the computed response is not finite before the first step", "integrator",
                Fault{FaultKind::kNotFinite, -1, 0.0, 0.0});
  if (settings_.steps <= 0) return end(RunResult::kComplete, {});
  wait_or_begin(0);
}

void IntegratorNode::wait_or_begin(std::int64_t step) {
  settings_.targets == nullptr ? begin_step(step) : await_target(step);
}

void IntegratorNode::begin_step(std::int64_t step) {
  if (!exchange_.open(step)) return fail_record();
  if (rules_.durable_targets) {
    // What went before, and what is wanted now, survives power loss before the next thing
    // happens.
    unsafe_ = recorder_.secure();
    if (!safe()) return;
  }
  record_.ledger().target_recorded(step, clock_.now());
  exchange_.send();
}

/// The targets of the open step are in the record as the mode wants it.
bool IntegratorNode::safe() noexcept {
  if (unsafe_ && !recorder_.secured(*unsafe_)) return false;
  unsafe_.reset();
  return true;
}

void IntegratorNode::close_step() {
  const std::int64_t answered = exchange_.awaited();
  if (answered + 1 >= settings_.steps)
    if (const std::string held = rigs_held_at_the_end(); !held.empty())
      return pause(held, "integrator", Fault{FaultKind::kPeerSilent, -1, 0.0, 0.0}, true);
  const CloseVerdict verdict = exchange_.close();
  if (verdict == CloseVerdict::kDiverged)
    return fail(RunResult::kStopped,
                "the computed response is no longer finite at step " +
                    std::to_string(exchange_.step()) + "; the loop has diverged",
                "integrator", Fault{FaultKind::kNotFinite, -1, 0.0, 0.0});
  if (verdict == CloseVerdict::kRowLost || recorder_.failed()) return fail_record();
  if (answered + 1 >= settings_.steps) return end(RunResult::kComplete, {});
  if (exchange_.step() + 1 < settings_.steps) return wait_or_begin(exchange_.step() + 1);
  exchange_.await(exchange_.step() + 1);
}

/// A test whose rig holds does not end by itself: at its end the rig would move, and no
/// person has said so. @returns a sentence, or empty where no rig is held
std::string IntegratorNode::rigs_held_at_the_end() const {
  if (!stays_held()) return {};
  std::string who;
  for (const SitePeer& peer : peers_) {
    const bool says =
        peer.words.says(SessionState::kHolding) || peer.words.says(SessionState::kFault);
    const bool silent = times_.now - peer.words.heard_at() >= settings_.watchdog;
    if (!peer.real_equipment() ||
        !(says || silent || peer.session.away() || peer.session.lost()))
      continue;
    who += (who.empty() ? "the rig of site " : " and of site ") + peer.name();
    if (silent)
      who += " (nothing was heard of it for " +
             run_text::duration(times_.now - peer.words.heard_at()) + ")";
  }
  if (who.empty()) return {};
  return "all steps are over, and " + who +
         " holds: it moves to its safe position by a person's word only";
}

/// Whether the limit that ended the run was met by an instability.
bool IntegratorNode::limit_shows_instability() const {
  if (!settings_.unstable.empty()) return true;
  std::size_t site = 0;
  while (site < peers_.size() && peers_[site].name() != halt_.node) ++site;
  return record_.shows_instability(site, halt_.fault);
}

RunReport IntegratorNode::report() const {
  RunReport report;
  report.result = end_.result;
  report.reason = end_.reason;
  report.resumable = end_.leaving;
  report.withdrawn = end_.withdrawn;
  report.steps_planned = settings_.targets == nullptr ? settings_.steps : exchange_.done();
  report.steps_done = exchange_.done();
  if (!settings_.unstable.empty()) report.warnings.push_back(settings_.unstable);
  for (const SitePeer& peer : peers_) {
    SiteReport site;
    site.name = peer.name();
    site.steps = peer.steps;
    site.tightened = peer.agreement.tightened;
    for (const ActuatorDescription& actuator : peer.agreement.actuators)
      site.tracking.push_back({actuator.name});
    report.sites.push_back(std::move(site));
  }
  record_.fill(report, peers_);
  for (std::size_t site = 0; site < peers_.size(); ++site)
    report.sites[site].misses = exchange_.misses().of(site).all();
  report.limit_met = end_.limit_met;
  const bool unstable = end_.diverged || (end_.limit_met && limit_shows_instability());
  report.criteria.stable = report.criteria.stable && !unstable;
  if (end_.result != RunResult::kComplete && exchange_.done() > 0)
    report.criteria.until_step = exchange_.done() - 1;
  return report;
}

void IntegratorNode::stop_on_missed_responses(const StepExchange::TooManyMisses& missed) {
  fail(RunResult::kStopped,
       run_text::too_many_misses(exchange_.misses(), missed, peers_[missed.site].name(),
                                 exchange_.awaited()),
       "integrator", Fault{FaultKind::kStopped, -1, 0.0, 0.0});
}

std::vector<SiteReport> IntegratorNode::tracking_now() const {
  if (!record_.ready() || exchange_.done() == 0) return {};
  return record_.tracking_now(peers_);
}

}  // namespace trestle
