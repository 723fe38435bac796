#include "numerical/node/running_phase.h"

#include <algorithm>
#include <string>
#include <vector>

#include "numerical/node/gravity_approach.h"
#include "numerical/node/run_text.h"

namespace trestle::integrator_node {
namespace {

// Interval between two checks of the record while a step waits for the local disk.
constexpr Duration kGlance = std::chrono::microseconds(200);

PhaseChange diverged(std::int64_t step, const ExcessiveResidual& excess) {
  return {Trigger::kFail, RunCause{.why = ResponseDiverged{step, excess},
                                   .fault = {.kind = FaultKind::kNotFinite}}};
}

PhaseChange complete() {
  return {Trigger::kEnd,
          RunCause{.why = TestComplete{}, .result = evaluation::RunResult::kComplete}};
}

/// On record before anything moves for it.
void note_approach(const RunParts& run, const char* how) {
  if (!gravity_approach::is_asked(run.settings)) return;
  run.recording.log.event(
      0, gravity_approach::kEvent,
      how + (" to the state under gravity; " +
             gravity_approach::way(run.settings, run.exchange.in_flight().requests(0))));
}

/// All sites have answered step 0. Before its row: a record with later steps says so.
void note_arrival(const RunParts& run) {
  if (!gravity_approach::is_asked(run.settings)) return;
  run.recording.log.event(
      0, gravity_approach::kEvent,
      "finished: the opening read under gravity; " +
          gravity_approach::arrival(run.settings, run.exchange.barrier().answers()));
}

}  // namespace

PhaseChange RunningPhase::enter(const PhaseChange& change) {
  return change.trigger == Trigger::kMeasured ? begin_run() : continue_run();
}

PhaseChange RunningPhase::begin_run() {
  run().recording.log.event(0, "state", "RUNNING");
  run().record.begin_ledger(run().times.zero);
  parts_.transport.set_clock(parts_.clock);
  const CloseVerdict verdict = run().exchange.close_opening();
  if (verdict == CloseVerdict::kRowLost) return abort_on_record_error();
  if (verdict == CloseVerdict::kDiverged) return diverged(kInitialStep, {});
  if (run().settings.steps <= 0) return complete();
  return begin_step_when_ready(0);
}

/// All sites run again.
PhaseChange RunningPhase::continue_run() {
  for (SitePeer& peer : run().peers) peer.session.set_reconnected(false);
  if (run().recovery.from_record()) return continue_from_record();
  StepExchange& exchange = run().exchange;
  if (waits_for_target_) {
    wait_for_target(next_step_);
    return {};
  }
  exchange.expect();
  exchange.resend_targets(exchange.awaited(), exchange.step());
  if (exchange.step() == 0 && exchange.done() == 0)
    note_approach(run(), "continues: step 0 takes specimens");
  // One whose intent is not yet safe goes out when it is.
  if (exchange.step() < run().settings.steps && !unsafe_) exchange.send();
  return {};
}

PhaseChange RunningPhase::continue_from_record() {
  const RecordExtent& extent = run().record.extent();
  const std::int64_t open = run().recovery.open_step();
  const std::int64_t wanted = open - run().settings.pace.latency_steps;
  run().recovery.leave_record();
  if (const ModelNotices* const notices = run().exchange.model().notices())
    told_ = notices->sentences();  // in the life before
  parts_.transport.set_clock(parts_.clock);
  if (run().record.keeps_ledger()) run().recovery.restore_delay_ledger();
  // First what will soon be due, then what only the record lacks.
  StepExchange& exchange = run().exchange;
  exchange.resend_targets(wanted, open);
  if (open < run().settings.steps) {
    PhaseChange change = begin_step(open);
    if (change.trigger != Trigger::kNone) return change;
  } else {
    exchange.await(open);
  }
  exchange.resend_targets(extent.whole + 1, wanted);
  return {};
}

PhaseChange RunningPhase::advance() {
  if (run().settings.targets != nullptr) {
    PhaseChange change = poll_target_source();
    if (change.trigger != Trigger::kNone || waits_for_target_) return change;
  }
  StepExchange& exchange = run().exchange;
  if (unsafe_) {
    if (run().recording.durability.failed()) return abort_on_record_error();
    if (!is_record_synced()) return {};
    run().record.ledger().target_recorded(exchange.step(), parts_.clock.now());
    exchange.send();
  }
  if (!exchange.ready())
    if (const auto missed = exchange.make_up()) return stop_on_missed_responses(*missed);
  return exchange.ready() ? close_step() : PhaseChange{};
}

PhaseChange RunningPhase::begin_step_when_ready(std::int64_t step) {
  if (run().settings.targets == nullptr) return begin_step(step);
  wait_for_target(step);
  return {};
}

PhaseChange RunningPhase::begin_step(std::int64_t step) {
  StepExchange& exchange = run().exchange;
  const OpenVerdict verdict = exchange.open(step);
  if (verdict == OpenVerdict::kDiverged)
    return diverged(step, exchange.model().excessive_residual());
  if (verdict == OpenVerdict::kRowLost) return abort_on_record_error();
  if (step == 0)
    note_approach(run(), run().settings.resume
                             ? "continues: step 0 takes specimens"
                             : "begun: step 0 takes specimens from their zero");
  if (exchange.schedule().rules().durable_targets) {
    // Earlier rows and the new targets survive a loss of power before the next action.
    unsafe_ = run().recording.durability.request_sync();
    unsafe_since_ = run().times.now;
    if (!is_record_synced()) return {};
  }
  run().record.ledger().target_recorded(step, parts_.clock.now());
  exchange.send();
  return {};
}

/// The targets of the open step are in the record as the mode wants it.
bool RunningPhase::is_record_synced() noexcept {
  if (unsafe_ && !run().recording.durability.is_durable(*unsafe_)) return false;
  unsafe_.reset();
  return true;
}

/// The step whose answers are due next waits for the local disk: no site knows of it.
bool RunningPhase::is_unsent() const noexcept {
  return unsafe_ && run().exchange.awaited() == run().exchange.step();
}

PhaseChange RunningPhase::close_step() {
  StepExchange& exchange = run().exchange;
  const bool last = exchange.awaited() + 1 >= run().settings.steps;
  if (last)
    if (std::optional<RunCause> held = rigs_held_at_the_end())
      return {Trigger::kHold, std::move(held)};
  if (exchange.step() == 0) note_arrival(run());
  const CloseVerdict verdict = exchange.close();
  if (verdict == CloseVerdict::kDiverged)
    return diverged(exchange.step(), exchange.model().excessive_residual());
  if (verdict == CloseVerdict::kRowLost || run().recording.durability.failed())
    return abort_on_record_error();
  record_notices();
  if (last) return complete();
  if (exchange.step() + 1 < run().settings.steps)
    return begin_step_when_ready(exchange.step() + 1);
  exchange.await(exchange.step() + 1);
  return {};
}

/// Of a model whose test continues.
void RunningPhase::record_notices() {
  const ModelNotices* const notices = run().exchange.model().notices();
  if (notices == nullptr || notices->count() <= told_.size()) return;
  // A later one may stand before an earlier one.
  std::vector<std::string> sentences = notices->sentences();
  for (const std::string& sentence : sentences)
    if (std::find(told_.begin(), told_.end(), sentence) == told_.end())
      run().recording.log.event(run().exchange.step(), "model", sentence);
  told_ = std::move(sentences);
}

PhaseChange RunningPhase::abort_on_record_error() const {
  RunCause::Why why = RowLost{run().exchange.step()};
  if (run().recording.durability.failed())
    why = AsSaid{run().recording.durability.error_message()};
  return {Trigger::kFail,
          RunCause{.why = std::move(why), .fault = {.kind = FaultKind::kJournal}}};
}

PhaseChange RunningPhase::stop_on_missed_responses(
    const StepExchange::TooManyMisses& missed) const {
  const MissPolicy& misses = run().exchange.misses();
  const MissedResponseMonitor& monitor = misses.of(missed.site);
  const std::int64_t step = run().exchange.awaited();
  // With its last resume the site was behind this step, and has no result of it.
  const ResumePoint& point = peer(missed.site).resume_point;
  const bool passed = missed.verdict == MissPolicy::Verdict::kStop &&
                      step <= point.last_step && step == point.unexecuted;
  return {Trigger::kFail, RunCause{.why = AnswersMissed{
                                       .site = missed.site,
                                       .verdict = missed.verdict,
                                       .step = step,
                                       .in_a_row = monitor.in_a_row(),
                                       .in_window = monitor.in_window(),
                                       .max_consecutive = misses.settings().max_consecutive,
                                       .max_in_window = misses.settings().max_in_window,
                                       .passed = passed}}};
}

/// A test whose rig holds does not end by itself: at its end the rig would move without a
/// person's command.
std::optional<RunCause> RunningPhase::rigs_held_at_the_end() const {
  if (!run().stays_held()) return {};
  RigsHeldAtEnd held;
  for (std::size_t site = 0; site < run().peers.size(); ++site) {
    const SitePeer& from = peer(site);
    const bool says = from.words.says(session::SessionState::kHolding) ||
                      from.words.says(session::SessionState::kFault);
    const Duration unheard = run().times.now - from.words.heard_at();
    const bool silent = unheard >= run().settings.watchdog;
    if (!from.real_equipment() ||
        !(says || silent || from.session.away() || from.session.lost()))
      continue;
    held.rigs.push_back({site, silent ? std::optional<Duration>(unheard) : std::nullopt});
  }
  if (held.rigs.empty()) return {};
  return RunCause{.why = std::move(held),
                  .fault = {.kind = FaultKind::kPeerSilent},
                  .operator_decides = true};
}

PhaseChange RunningPhase::expired() {
  if (waits_for_target_)
    return {Trigger::kFail, RunCause{.why = SourceSilent{run().settings.targets->who()},
                                     .result = evaluation::RunResult::kSiteLost,
                                     .fault = {.kind = FaultKind::kPeerSilent}}};
  const bool holds = run().settings.hold > Duration::zero();
  if (is_unsent())
    return {
        holds ? Trigger::kHold : Trigger::kFail,
        RunCause{.why = TargetsNotRecorded{run().exchange.step(), run().settings.answer},
                 .fault = {.kind = FaultKind::kPeerSilent},
                 .operator_decides = holds && run().peers.real_equipment()}};
  if (holds) return hold_for_silent_sites(run().exchange.awaited());
  return overdue(run().exchange.awaited(), run().settings.answer);
}

Awaited RunningPhase::awaited(std::size_t site) const noexcept {
  const StepExchange& exchange = run().exchange;
  if (exchange.awaited() < 0 || exchange.has(site) || is_unsent()) return Awaited::kNothing;
  return exchange.awaited() == 0 && run().settings.sites[site].to_gravity
             ? Awaited::kGravity
             : Awaited::kAnswer;
}

bool RunningPhase::resend(std::size_t site) {
  StepExchange& exchange = run().exchange;
  if (!exchange.schedule().rules().resends_targets || unsafe_ || exchange.has(site))
    return false;
  exchange.send_again(site);
  return true;
}

TimePoint RunningPhase::due() const noexcept {
  TimePoint due = run().exchange.closes();
  // Virtual time does not advance meanwhile.
  if (unsafe_)
    due = std::min(due, run().settings.pace.virtual_clock ? run().times.now
                                                          : run().times.now + kGlance);
  return due;
}

PhaseChange RunningPhase::hello(std::size_t site, const Hello& hello) {
  return parts_.admission.readmit(site, hello);
}

PhaseChange RunningPhase::refused(std::size_t site, RunCause cause) {
  SitePeer& from = peer(site);
  if (from.session.in(session::SessionState::kOffline)) return {};
  if (from.session.in(session::SessionState::kConnected))
    from.session.set_lost(true);  // nothing to stop there
  cause.met_by = from.name();
  if (!run().peers.real_equipment())
    cause.limit = std::get<SiteRefused>(cause.why).fault.kind;
  return {Trigger::kFail, std::move(cause)};
}

PhaseChange RunningPhase::heard(std::size_t /*site*/, const Heartbeat& /*beat*/) {
  if (run().exchange.schedule().rules().timeless) extend_deadline_for_live_sites();
  return {};
}

/// A pseudo-dynamic step takes as long as its way: the test waits for each site whose
/// control loop runs, and no site speaks for another.
void RunningPhase::extend_deadline_for_live_sites() noexcept {
  if (waits_for_target_) return;
  TimePoint heard = run().times.now;
  for (std::size_t site = 0; site < run().peers.size(); ++site)
    if (awaited(site) != Awaited::kNothing)
      heard = std::min(heard, peer(site).words.alive_at());
  run().times.deadline.extend(heard, run().settings.answer);
}

PhaseChange RunningPhase::answered(std::size_t site, const StepResponse& response) {
  return accept(site, response);
}

/// The sites receive heartbeats meanwhile.
void RunningPhase::wait_for_target(std::int64_t step) noexcept {
  waits_for_target_ = true;
  waits_for_target_since_ = run().times.now;
  next_step_ = step;
  run().times.deadline.set(run().times.now, run().settings.targets->time_to_timeout());
}

PhaseChange RunningPhase::poll_target_source() {
  ExternalTargetSource& source = *run().settings.targets;
  switch (source.next()) {
    case ExternalTargetSource::State::kDisconnected:
      return {Trigger::kFail, RunCause{.why = AsSaid{source.disconnect_reason()},
                                       .result = evaluation::RunResult::kSiteLost,
                                       .fault = {.kind = FaultKind::kPeerSilent}}};
    case ExternalTargetSource::State::kInvalidTarget:
      return {Trigger::kFail, RunCause{.why = AsSaid{source.disconnect_reason()},
                                       .fault = {.kind = FaultKind::kNotFinite}}};
    case ExternalTargetSource::State::kCompleted:
      parts_.steps = run().exchange.done();
      return complete();
    case ExternalTargetSource::State::kTargetReady:
      waits_for_target_ = false;
      return begin_step(next_step_);
    case ExternalTargetSource::State::kPending:
      break;
  }
  if (waits_for_target_)
    run().times.deadline.set(run().times.now, source.time_to_timeout());
  return {};
}

}  // namespace trestle::integrator_node
