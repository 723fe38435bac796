#include "numerical/node/integrator_node.h"

#include <algorithm>
#include <cmath>
#include <exception>

#include "core/session/audit_words.h"
#include "core/session/channel_names.h"
#include "numerical/node/make_step_schedule.h"

namespace trestle {
namespace {

// A flood of messages must not keep a tick from ending.
constexpr int kMessagesPerTick = 64;
// What a site may take from a word of ours to its first tick, on the wall clock.
constexpr Duration kTimeToStart = std::chrono::milliseconds(20);

ScheduleSettings schedule_settings(const IntegratorSettings& settings) {
  return {.time_step = settings.time_step,
          .latency_steps = settings.pace.latency_steps,
          .scale = settings.pace.scale,
          .deadline = settings.misses.deadline,
          .time_to_start = settings.pace.virtual_clock ? Duration::zero() : kTimeToStart};
}

std::vector<InterfaceLayout> layouts_of(const IntegratorSettings& settings) {
  std::vector<InterfaceLayout> layouts;
  for (const SiteInTest& site : settings.sites) layouts.push_back(site.layout);
  return layouts;
}

}  // namespace

IntegratorNode::IntegratorNode(const IntegratorSettings& settings,
                               NumericalSubstructure& substructure, Transport& transport,
                               Recorder& recorder, const Clock& clock)
    : settings_(settings),
      rules_(rules_of(settings.mode)),
      substructure_(substructure),
      transport_(transport),
      recorder_(recorder),
      peers_(settings_, transport),
      record_(settings_, substructure, recorder),
      barrier_(layouts_of(settings), settings.pace.latency_steps),
      clock_(clock),
      schedule_(make_step_schedule(settings.mode, schedule_settings(settings))),
      misses_(settings.misses, settings.time_step, settings.sites.size()),
      repetition_(settings.sites.size()),
      compared_(settings.sites.size()) {
  for (const SiteInTest& site : settings.sites)
    requests_.push_back(
        {Target::zero(static_cast<Eigen::Index>(controlled_dofs(site.layout))), Target{},
         InterfaceVector{}});
  const std::int64_t late = rules_.late_rows;
  const std::int64_t kept = late > 0 ? settings_.pace.latency_steps + late + 2 : 1;
  StepCommand ours;
  ours.session = settings_.session;
  commands_.assign(static_cast<std::size_t>(kept),
                   std::vector<StepCommand>(peers_.size(), ours));
}

TimePoint IntegratorNode::tick(TimePoint now) {
  now_ = now;
  if (!started_) {
    started_ = true;
    deadline_.set(now, settings_.connect);
    deadline_.limit(now, longest_wait(settings_.connect));
    for (SitePeer& peer : peers_) peer.begin(now);
    if (settings_.retell) begin_retelling();
  }
  bool worked = false;
  for (int n = 0; n < kMessagesPerTick && transport_.receive(incoming_); ++n) {
    worked = true;
    received_ = clock_.now();
    handle(incoming_);
  }
  const Phase before = phase_;
  const std::int64_t step = step_;
  advance();
  check_deadline();
  worked = worked || step_ != step || phase_ != before || phase_ == Phase::kReplaying ||
           past_targets_ != nullptr;
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
  const bool stepping = response.step != kOpeningStep;
  peer.clock.incoming(response.exchange, received_);
  peer.words.answered(now_);
  // The site executed nothing: a miss, which is judged like one that never came. A site
  // that came back has no numbers of it, either.
  if (response.missed) return;
  const auto bad = [&](const std::string& what, FaultKind kind = FaultKind::kStopped) {
    fail(RunResult::kStopped,
         "site " + peer.name() + " answered step " + std::to_string(response.step) +
             " with " + what,
         "integrator", Fault{kind, -1, 0.0, 0.0});
  };
  if (stepping && !record_.fits(site, response.actuators))
    return bad("values of other lengths than the " +
               std::to_string(peer.agreement.actuators.size()) +
               " actuators that were agreed");
  // Nobody has asked for it yet.
  if (stepping && (phase_ != Phase::kRunning || response.step > step_)) return;
  const SiteBarrier::Verdict verdict = barrier_.accept(site, response);
  switch (verdict) {
    case SiteBarrier::Verdict::kAccepted:
    case SiteBarrier::Verdict::kEarly:
      peer.words.tell(SessionState::kRunning, "moves", now_);
      if (!stepping) {
        peer.read(now_);
        return record_.opening(site, response);
      }
      ++peer.steps;
      return record_.answered(site, response, peer.clock, received_);
    case SiteBarrier::Verdict::kTooEarly:
    case SiteBarrier::Verdict::kOld:
      // Recorded, and not used; said twice in lock-step it is nothing new.
      if (stepping && rules_.skips_steps && verdict == SiteBarrier::Verdict::kOld)
        record_.late(site, response);
      return;
    case SiteBarrier::Verdict::kWrongLength: {
      const auto moved = static_cast<Eigen::Index>(controlled_dofs(peer.agreement.layout));
      if (response.measured.size() != moved)
        return bad(std::to_string(response.measured.size()) + " interface DOFs, not the " +
                   std::to_string(moved) + " that were agreed");
      return bad(std::to_string(response.force.size()) + " interface forces, not the " +
                 std::to_string(peer.agreement.layout.size()) + " that were agreed");
    }
    case SiteBarrier::Verdict::kNotFinite:
      return bad("a number that is not finite", FaultKind::kNotFinite);
  }
}

void IntegratorNode::advance() {
  if (past_targets_ != nullptr && phase_ != Phase::kHeld) past_targets_.reset();
  switch (phase_) {
    case Phase::kConnecting:
      if (peers_.all_in(SessionState::kConfigured) && peers_.clocks_known(now_) &&
          armed_by_somebody())
        arm();
      return;
    case Phase::kReplaying:
      return replay();
    case Phase::kOpening:
      ask_for_opening_reads();
      if (peers_.all_in(SessionState::kRunning) && barrier_.complete()) open_run();
      return;
    case Phase::kRunning:
      if (settings_.targets != nullptr && !follow_source()) return;
      if (unsafe_) {
        if (recorder_.failed()) return fail_record();
        if (!safe()) return;
        record_.ledger().target_recorded(step_, clock_.now());
        send_open_step();
      }
      if (step_ready() || judge_misses()) close_step();
      return;
    case Phase::kHolding:
      if (!waiting_for_nobody()) return;
      if (leaving_) return left();
      if (!pausing_) return stop_sites();
      phase_ = Phase::kHeld;
      wait_while_held();
      return;
    case Phase::kHeld:
      if (past_targets_ != nullptr) return go_through_lost_steps();
      if (may_go_on()) go_on();
      return;
    case Phase::kResuming:
      if (peers_.all_in(SessionState::kRunning)) run_on();
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
    if (!peers_.all_in(SessionState::kArmed)) return;
    opening_reads_ = true;
    session_zero_ = schedule_->zero_at_start(now_, peers_.longest_round_trip());
  }
  for (SitePeer& peer : peers_) {
    if (!peer.session.start()) continue;
    peer.send(Start{settings_.session, session_zero_}, now_);
    peer.ordered(now_);
    deadline_.set(now_, settings_.answer);
  }
}

void IntegratorNode::open_run() {
  recorder_.event(0, "state", "RUNNING");
  phase_ = Phase::kRunning;
  record_.begin_ledger(session_zero_);
  transport_.stamp_with(clock_);
  if (!record_.keep_opening()) return fail_record();
  if (!substructure_.correct(kOpeningStep, barrier_.answers()))
    return fail(RunResult::kStopped,
                "the computed response is not finite before the first step", "integrator",
                Fault{FaultKind::kNotFinite, -1, 0.0, 0.0});
  if (settings_.steps <= 0) return end(RunResult::kComplete, {});
  wait_or_begin(0);
}

/// The step's targets are out, or it is one behind the last, which only waits for answers.
void IntegratorNode::await(std::int64_t step) {
  step_ = step;
  opened_ = now_;
  deadline_.set(silent_from(), settings_.answer);
  if (awaited_step() >= 0) barrier_.open(awaited_step());
  misses_.open();
}

void IntegratorNode::wait_or_begin(std::int64_t step) {
  settings_.targets == nullptr ? begin_step(step) : await_target(step);
}

void IntegratorNode::begin_step(std::int64_t step) {
  await(step);
  record_.ledger().begin(step, clock_.now());
  substructure_.predict(step, requests_);
  record_.ledger().target_ready(step, clock_.now());
  keep_targets(step);
  if (!record_.intend(step, requests_)) return fail_record();
  if (rules_.durable_targets) {
    // What went before, and what is wanted now, survives power loss before the next thing
    // happens.
    unsafe_ = recorder_.secure();
    if (!safe()) return;
  }
  record_.ledger().target_recorded(step, clock_.now());
  send_open_step();
}

/// The targets of the open step are in the record as the mode wants it.
bool IntegratorNode::safe() noexcept {
  if (unsafe_ && !recorder_.secured(*unsafe_)) return false;
  unsafe_.reset();
  return true;
}

std::vector<StepCommand>& IntegratorNode::commands_of(std::int64_t step) noexcept {
  return commands_[static_cast<std::size_t>(std::max<std::int64_t>(step, 0)) %
                   commands_.size()];
}

void IntegratorNode::keep_targets(std::int64_t step) noexcept {
  std::vector<StepCommand>& commands = commands_of(step);
  for (std::size_t site = 0; site < peers_.size(); ++site) {
    commands[site].step = step;
    commands[site].target = requests_[site].target;
    commands[site].feedforward_target = requests_[site].feedforward_target;
    commands[site].command_feedforward = requests_[site].command_feedforward;
  }
}

void IntegratorNode::send_targets(std::int64_t step, std::size_t site, TimePoint due) {
  StepCommand& command = commands_of(step)[site];
  command.due = due;
  record_.ledger().sent(step, site, peers_[site].send(command, clock_.now(), now_));
}

/// The targets of the open step, to all sites.
void IntegratorNode::send_open_step() {
  const TimePoint due = due_of_open_step();
  for (std::size_t site = 0; site < peers_.size(); ++site) {
    if (rules_.resends_targets && awaited_step() == step_ && barrier_.has(site)) continue;
    send_targets(step_, site, due);
  }
  deadline_.extend(silent_from(), settings_.answer);
}

void IntegratorNode::close_step() {
  const std::int64_t answered = awaited_step();
  if (answered + 1 >= settings_.steps)
    if (const std::string held = rigs_held_at_the_end(); !held.empty())
      return pause(held, "integrator", Fault{FaultKind::kPeerSilent, -1, 0.0, 0.0}, true);
  if (answered >= 0) record_.ledger().joined(answered, clock_.now());
  if (answered >= 0) misses_.close();
  if (step_ < settings_.steps) use_answers();
  if (result_ != RunResult::kUnfinished) return;
  const bool kept = answered < 0 || record_.ledger().close(answered, clock_.now());
  if (!kept || recorder_.failed()) return fail_record();
  if (answered + 1 >= settings_.steps) return end(RunResult::kComplete, {});
  if (step_ + 1 < settings_.steps) return wait_or_begin(step_ + 1);
  await(step_ + 1);
}

/// A test whose rig holds does not end by itself: at its end the rig would move, and no
/// person has said so. @returns a sentence, or empty where no rig is held
std::string IntegratorNode::rigs_held_at_the_end() const {
  if (!stays_held()) return {};
  std::string who;
  for (const SitePeer& peer : peers_) {
    const bool says =
        peer.words.says(SessionState::kHolding) || peer.words.says(SessionState::kFault);
    const bool silent = now_ - peer.words.heard_at() >= settings_.watchdog;
    if (!peer.real_equipment() ||
        !(says || silent || peer.session.away() || peer.session.lost()))
      continue;
    who += (who.empty() ? "the rig of site " : " and of site ") + peer.name();
    if (silent)
      who += " (nothing was heard of it for " +
             run_text::duration(now_ - peer.words.heard_at()) + ")";
  }
  if (who.empty()) return {};
  return "all steps are over, and " + who +
         " holds: it moves to its safe position by a person's word only";
}

void IntegratorNode::use_answers() {
  if (!record_.keep_used(step_, barrier_.answers())) return fail_record();
  if (!substructure_.correct(step_, barrier_.answers()))
    return fail(RunResult::kStopped,
                "the computed response is no longer finite at step " +
                    std::to_string(step_) + "; the loop has diverged",
                "integrator", Fault{FaultKind::kNotFinite, -1, 0.0, 0.0});
  const bool kept = record_.close(step_, requests_);
  ++steps_done_;
  if (!kept) fail_record();
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
  report.result = result_;
  report.reason = reason_;
  report.resumable = leaving_;
  report.withdrawn = withdrawn_;
  report.steps_planned = settings_.targets == nullptr ? settings_.steps : steps_done_;
  report.steps_done = steps_done_;
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
    report.sites[site].misses = misses_.of(site).all();
  report.limit_met = limit_met_;
  const bool unstable = diverged_ || (limit_met_ && limit_shows_instability());
  report.criteria.stable = report.criteria.stable && !unstable;
  if (result_ != RunResult::kComplete && steps_done_ > 0)
    report.criteria.until_step = steps_done_ - 1;
  return report;
}

}  // namespace trestle
