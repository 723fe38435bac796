// The part of IntegratorNode that goes through its own record after it was killed.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>
#include <span>

#include "core/session/audit_words.h"
#include "core/session/contract_refusal.h"
#include "numerical/node/integrator_node.h"

namespace trestle {
namespace {

// Steps of the record that are replayed between two looks at the bus.
constexpr int kStepsPerTick = 256;

/// Session time of the read that closed this step, as a site that never missed a tick
/// reckons it: the noise of a simulated rig's transducers is a function of it.
TimePoint closed_at(const IntegratorSettings& settings, const SiteInTest& site,
                    std::int64_t step) {
  const double scale = rules_of(settings.mode).scaled_ticks ? settings.pace.scale : 1.0;
  const double tick = settings.time_step * scale / site.ticks_per_step;
  const std::int64_t steps = step + 1 + settings.pace.latency_steps;
  return TimePoint{Duration{
      std::llround(static_cast<double>(steps * site.ticks_per_step) * tick * 1e9)}};
}

/// Why a test cannot go on from this record, or empty.
std::string refusal_of_record(const Recollection* past, const IntegratorSettings& settings,
                              const SitePeers& peers) {
  if (past == nullptr) return "there is no record of this session to go on from";
  const std::string model = past->fact("model");
  if (model != settings.model)
    return "the record is of another model (" + model + "; this is " + settings.model + ")";
  if (past->fact("software") != settings.software)
    return "the record was made by trestle " + past->fact("software") +
           ", this is trestle " + settings.software + "; go on with that version";
  for (const SitePeer& peer : peers) {
    if (peer.session.lost()) continue;
    const std::string why =
        refusal_of_change(past->fact("contract." + peer.name()), peer.agreement.contract);
    if (!why.empty()) return "site " + peer.name() + ": " + why;
  }
  if (past->last("opening") == Recollection::kNone)
    return "the record ends before the first step; run the test anew";
  return {};
}

}  // namespace

/// After a restart: what this node has recorded, as far as it is whole.
void IntegratorNode::take_up_record() {
  past_ = recorder_.recall(settings_.session);
  if (const std::string why = refusal_of_record(past_.get(), settings_, peers_);
      !why.empty())
    return end(RunResult::kRefused, why);
  // In real time rows are written later than what they say was used: `answer` has all that
  // a replay needs, the rest of a row is asked for again.
  const std::int64_t used = std::max(past_->last("answer"), kOpeningStep);
  RecordExtent extent;
  extent.whole = std::min(std::max(past_->last("result"), kOpeningStep), used);
  extent.used = rules_.late_rows > 0 ? used : extent.whole;
  extent.accounted = std::min(std::max(past_->last("ledger"), kOpeningStep), extent.used);
  // Its times go on where they ended.
  times_.zero = times_.now;
  if (past_->row("ledger", extent.accounted, past_row_))
    times_.zero -= DelayLedger::end_of(past_row_);
  try {
    record_.reopen(peers_, extent);
  } catch (const std::exception& error) {
    return end(RunResult::kRefused,
               std::string("the record cannot be gone on with: ") + error.what());
  }
  record_.begin_ledger(times_.zero);
  for (SitePeer& peer : peers_) {
    peer.session.hold_from_record();
  }
  replay_opening();
}

void IntegratorNode::replay_opening() {
  exchange_.begin();
  past_->row("opening", kOpeningStep, past_row_);
  for (std::size_t site = 0; site < peers_.size(); ++site) {
    StepResponse opening;
    record_.read_back(past_row_, site, opening);
    opening.step = kOpeningStep;
    exchange_.barrier().accept(site, opening);
    record_.opening(site, opening);
  }
  past_answers_.assign(exchange_.barrier().answers().begin(),
                       exchange_.barrier().answers().end());
  substructure_.correct(kOpeningStep, past_answers_);
  replayed_ = kOpeningStep;
  phase_ = Phase::kReplaying;
  times_.deadline.clear();
}

/// Whoever conducted it wrote its end into the record, and did not live to tell.
void IntegratorNode::begin_retelling() {
  past_ = recorder_.recall(settings_.session);
  for (SitePeer& peer : peers_) {
    peer.agreement.layout = peer.expected().layout;
    if (past_ == nullptr) continue;
    peer.agreement.actuators = actuators_from(past_->fact("actuators." + peer.name()));
    peer.agreement.contract = past_->fact("contract." + peer.name());
    peer.resume_point.last_step = past_->last("answer");  // nobody is behind
  }
  reason_ = refusal_of_record(past_.get(), settings_, peers_);
  if (!reason_.empty()) {
    result_ = RunResult::kRefused;
    phase_ = Phase::kDone;
    return;
  }
  RecordExtent extent;
  extent.used = extent.whole = std::max(past_->last("answer"), kOpeningStep);
  record_.retell(peers_, extent);
  record_.begin_ledger(times_.zero);
  replay_opening();
}

void IntegratorNode::end_retelling() {
  const std::int64_t latency = settings_.pace.latency_steps;
  for (std::int64_t step = std::max<std::int64_t>(record_.extent().used + 1 - latency, 0);
       step <= record_.extent().used; ++step)
    replay_answers(step);
  const bool complete = record_.extent().used + 1 >= settings_.steps;
  if (complete) record_.finish();
  result_ = complete ? RunResult::kComplete : RunResult::kStopped;
  past_.reset();
  phase_ = Phase::kDone;
}

void IntegratorNode::replay() {
  for (int n = 0; n < kStepsPerTick && replayed_ < record_.extent().used; ++n)
    if (!replay_step(++replayed_)) return;
  if (replayed_ < record_.extent().used) return;
  exchange_.stand_at(record_.extent().used);
  if (settings_.retell) return end_retelling();
  recorder_.audit(audit_resumed(settings_.by.empty() ? "integrator" : settings_.by,
                                "terminal", std::to_string(record_.extent().used + 1),
                                "of each site"));
  recorder_.event(
      exchange_.done(), "state",
      "goes on from its record at step " + std::to_string(record_.extent().used + 1));
  pausing_ = true;
  operator_decides_ = peers_.real_equipment();
  resumed_by_ = settings_.by;
  hold_reason_ = "the integrator was restarted";
  held_since_ = times_.now;
  phase_ = Phase::kHeld;
  wait_while_held();
  if (record_.extent().whole + 1 < settings_.steps) return;
  stopped_by_ = settings_.by;  // who took up a test that was over wants its end
  end(RunResult::kComplete, {});
}

/// @returns false where the record is not of this test
bool IntegratorNode::replay_step(std::int64_t step) {
  const std::span<const SiteRequest> requests = exchange_.replay(step);
  if (past_->row("intent", step, past_row_) && !same_targets(past_row_, requests)) {
    end(RunResult::kRefused, "the replay asks for another target at step " +
                                 std::to_string(step) +
                                 " than the record; it was made by another program "
                                 "or on another processor");
    return false;
  }
  const std::int64_t answered = step - settings_.pace.latency_steps;
  past_->row("answer", step, past_row_);
  answers_from(past_row_, past_answers_);
  if (answered >= 0) replay_answers(answered);
  remember_for_those_behind(step);
  exchange_.close_replayed(step, past_answers_);
  return true;
}

/// What the sites answered to this step: what was used of it, and its row as far as the
/// record has it.
void IntegratorNode::replay_answers(std::int64_t step) {
  const bool whole = past_->row("result", step, past_row_);
  exchange_.barrier().open(step);
  for (std::size_t site = 0; site < peers_.size(); ++site) {
    StepResponse used;
    used.step = step;
    used.measured = past_answers_[site].measured;
    used.force = past_answers_[site].force;
    exchange_.barrier().accept(site, used);
    StepResponse response;
    response.step = step;
    response.measured_at = closed_at(settings_, peers_[site].expected(), step);
    if (whole && record_.read_back(past_row_, site, response)) {
      record_.answered_before(site, response);
      ++peers_[site].steps;
    } else {
      record_.missed(site, step);
    }
  }
}

void IntegratorNode::remember_for_those_behind(std::int64_t step) {
  if (!rules_.repeats_steps) return;
  for (std::size_t site = 0; site < peers_.size(); ++site) {
    if (step <= peers_[site].resume_point.last_step) continue;
    StepCommand command;
    command.session = settings_.session;
    exchange_.in_flight().fill(command, step, site);
    command.due = exchange_.schedule().session_time(step);
    repetition_.add(site, command, past_answers_[site]);
  }
}

/// A site repeats a step that its record had lost: the same bits, or it is another rig.
void IntegratorNode::repeat(SitePeer& peer, std::size_t site,
                            const StepResponse& response) {
  if (response.session != settings_.session || !repetition_.owes(site)) return;
  peer.words.heard(times_.now);
  const StepRepetition::Verdict verdict = repetition_.accept(site, response);
  if (verdict == StepRepetition::Verdict::kIgnored) return;
  if (verdict == StepRepetition::Verdict::kDiffers)
    return fail(RunResult::kStopped,
                "site " + peer.name() + " does not repeat its answer to step " +
                    std::to_string(response.step) +
                    "; its record had lost that step, and the rig is not where it was",
                "integrator", Fault{FaultKind::kStopped, -1, 0.0, 0.0});
  times_.deadline.set(times_.now, settings_.answer);
  if (repetition_.owes(site)) peer.send_again(repetition_.next(site), times_.now);
}

void IntegratorNode::catch_up() {
  if (waiting_for_nobody()) run_on();
}

void IntegratorNode::run_on_from_record() {
  past_.reset();
  transport_.stamp_with(clock_);
  phase_ = Phase::kRunning;
  if (record_.keeps_ledger()) take_up_ledger();
  const std::int64_t open = record_.extent().used + 1;
  const std::int64_t wanted = open - settings_.pace.latency_steps;
  // First what will soon be due, then what only the record lacks.
  exchange_.ask_again(wanted, open);
  if (open < settings_.steps)
    begin_step(open);
  else
    exchange_.await(open);
  exchange_.ask_again(record_.extent().whole + 1, wanted);
}

/// Of steps that were under way when the integrator was killed nobody knows any more where
/// their time went: they begin now.
void IntegratorNode::take_up_ledger() {
  for (std::int64_t step = std::max<std::int64_t>(record_.extent().accounted + 1, 0);
       step <= record_.extent().used; ++step) {
    record_.ledger().begin(step, times_.now);
    record_.ledger().target_ready(step, times_.now);
    for (std::size_t site = 0; site < peers_.size(); ++site)
      record_.ledger().sent(step, site, times_.now);
    if (step > record_.extent().used - settings_.pace.latency_steps) continue;
    record_.ledger().joined(step, times_.now);
    record_.ledger().close(step, times_.now);
  }
}

}  // namespace trestle
