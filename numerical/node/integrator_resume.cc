// The part of IntegratorNode that holds a test, and goes on with it: after a site was away,
// after an operator's word, and from its own record after it was killed.
#include <algorithm>
#include <cstring>
#include <exception>

#include "core/session/audit_words.h"
#include "core/session/contract_refusal.h"
#include "core/timing/deadline.h"
#include "numerical/node/integrator_node.h"

namespace trestle {
namespace {

// Steps of the record that are replayed between two looks at the bus.
constexpr int kStepsPerTick = 256;
constexpr int kHeartbeatsToHold = 2;
// What a site may take from Resume to its first tick, on the wall clock.
constexpr Duration kTimeToGoOn = std::chrono::milliseconds(20);

bool same_bits(const InterfaceVector& a, const InterfaceVector& b) noexcept {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(),
                     static_cast<std::size_t>(a.size()) * sizeof(double)) == 0;
}

}  // namespace

bool IntegratorNode::real_equipment() const noexcept {
  return std::any_of(links_.begin(), links_.end(),
                     [](const SiteLink& link) { return link.real_equipment; });
}

/// Everyone holds, to go on later.
void IntegratorNode::pause(const std::string& reason, const std::string& met_by,
                           const Fault& fault, bool operator_decides) {
  if (result_ != RunResult::kUnfinished) return;
  operator_decides_ = operator_decides_ || operator_decides;
  resumed_by_.clear();
  hold_reason_ = reason;
  recorder_.event(steps_done_, "state", "HOLDING: " + reason);
  if (phase_ != Phase::kHolding && phase_ != Phase::kHeld) held_since_ = now_;
  halt_ = {settings_.session, met_by, fault, steps_done_, reason, {}};
  for (std::size_t site = 0; site < links_.size(); ++site) {
    SiteLink& link = links_[site];
    if (link.away) continue;
    const bool met_here = link.expected.name == met_by;
    link.held = link.held && met_here;
    link.session.move(SessionState::kHolding);
    transport_.send(static_cast<int>(site), SessionMessage{halt_});
    link.sent = now_;
  }
  pausing_ = true;
  phase_ = Phase::kHolding;
  deadline_ = deadline_after(
      now_, std::min(settings_.answer, kHeartbeatsToHold * settings_.heartbeat));
}

/// A site that a pause or a word of its own cannot bring back.
void IntegratorNode::held_back(const std::string& why) {
  if (operator_decides_)
    return pause(why, "integrator", Fault{FaultKind::kStopped, -1, 0.0, 0.0}, true);
  fail(RunResult::kStopped, why, "integrator", Fault{FaultKind::kStopped, -1, 0.0, 0.0});
}

/// The answers that are missing are waited for in peace.
void IntegratorNode::hold_for_the_silent() {
  const std::string reason = "no " + waiting_for() + " to step " +
                             std::to_string(awaited_step()) + " within " +
                             duration_text(settings_.answer);
  bool real = false;
  for (std::size_t site = 0; site < links_.size(); ++site) {
    links_[site].away = awaited(site) != nullptr;
    real = real || (links_[site].away && links_[site].real_equipment);
  }
  pause(reason, "integrator",
        Fault{FaultKind::kPeerSilent, -1, seconds(settings_.answer),
              seconds(settings_.answer)},
        real);
}

/// A site was restarted, or held because it heard nothing of us.
void IntegratorNode::welcome_back(SiteLink& link, int peer, const Hello& hello) {
  link.can_resume = true;
  link.last_step = hello.last_step;
  const bool under_way = phase_ == Phase::kRunning || phase_ == Phase::kResuming ||
                         phase_ == Phase::kCatchingUp;
  if (under_way) {
    link.away = true;
    pause("site " + link.expected.name + " (" + link.expected.where +
              ") was away; its last step is " + std::to_string(hello.last_step),
          "integrator", Fault{FaultKind::kPeerSilent, -1, 0.0, 0.0}, link.real_equipment);
  }
  operator_decides_ = operator_decides_ || link.real_equipment;
  link.away = true;
  link.session = Session{};
  link.session.move(SessionState::kConnected);
  link.book.restart();
  introduce(link, peer);
}

bool IntegratorNode::may_go_on() const noexcept {
  if (operator_decides_ && resumed_by_.empty()) return false;
  for (std::size_t site = 0; site < links_.size(); ++site) {
    const SiteLink& link = links_[site];
    if (link.away || link.lost || !link.session.in(SessionState::kHolding)) return false;
    if (!clock_known(site)) return false;
  }
  return true;
}

/// While sites are away there is an end to it; an operator may take his time.
TimePoint IntegratorNode::held_deadline() const noexcept {
  const bool away = std::any_of(links_.begin(), links_.end(), [](const SiteLink& link) {
    return link.away || link.lost;
  });
  return away ? deadline_after(held_since_, settings_.answer + settings_.hold)
              : TimePoint::max();
}

void IntegratorNode::go_on() {
  phase_ = Phase::kResuming;
  deadline_ = deadline_after(now_, settings_.answer);
  Duration longest{};
  for (const SiteLink& link : links_) longest = std::max(longest, link.round_trip);
  const Duration lead =
      settings_.pace.virtual_clock ? 4 * longest : 4 * longest + kTimeToGoOn;
  session_zero_ = now_ + lead;
  last_due_ = {};
  // Real time begins again so that the open step is due when all can be there.
  if (settings_.mode == Mode::kRealTime) {
    const std::int64_t open = past_ != nullptr ? recorded_ + 1 : step_;
    session_zero_ -= session_time(open + settings_.pace.latency_steps).time_since_epoch();
  }
  for (std::size_t site = 0; site < links_.size(); ++site)
    say_resume(links_[site], static_cast<int>(site));
}

void IntegratorNode::say_resume(SiteLink& link, int peer) {
  const std::int64_t open = past_ != nullptr ? recorded_ + 1 : step_;
  link.sent = now_;
  transport_.send(peer, SessionMessage{Resume{settings_.session, open, session_zero_,
                                              contract_hash_of(link), resumed_by_}});
}

/// All sites run again.
void IntegratorNode::run_on() {
  recorder_.event(steps_done_, "state",
                  "RUNNING" + (resumed_by_.empty() ? "" : ": resumed by " + resumed_by_));
  operator_decides_ = false;
  pausing_ = false;
  resumed_by_.clear();
  hold_reason_.clear();
  unsafe_.reset();
  for (SiteLink& link : links_) link.held = false;
  ledger_->record_into(ledger_sink_, session_zero_);
  if (past_ != nullptr) {
    const bool behind = std::any_of(links_.begin(), links_.end(), [](const SiteLink& link) {
      return link.caught_up < link.again.size();
    });
    if (behind && phase_ != Phase::kCatchingUp) {
      phase_ = Phase::kCatchingUp;
      for (std::size_t site = 0; site < links_.size(); ++site) remind(site);
      deadline_ = deadline_after(now_, settings_.answer);
      return;
    }
    past_.reset();
    transport_.stamp_with(clock_);
    phase_ = Phase::kRunning;
    if (recorded_ + 1 >= settings_.steps) return end(RunResult::kComplete, {});
    return begin_step(recorded_ + 1);
  }
  phase_ = Phase::kRunning;
  const TimePoint from = lockstep() ? now_ : std::max(now_, answer_deadline());
  deadline_ = deadline_after(from, settings_.answer);
  if (step_ < settings_.steps) send_open_step();
}

/// After a restart: what this node has recorded, as far as it is whole.
void IntegratorNode::take_up_record() {
  past_ = recorder_.recall(settings_.session);
  if (past_ == nullptr)
    return end(RunResult::kRefused, "there is no record of this session to go on from");
  const std::string model = past_->fact("model");
  if (model != settings_.model)
    return end(RunResult::kRefused, "the record is of another model (" + model +
                                        "; this is " + settings_.model + ")");
  if (past_->fact("software") != settings_.software)
    return end(RunResult::kRefused, "the record was made by trestle " +
                                        past_->fact("software") + ", this is trestle " +
                                        settings_.software + "; go on with that version");
  for (const SiteLink& link : links_)
    if (!link.lost)
      if (const std::string why = refusal_of_change(
              past_->fact("contract." + link.expected.name), link.contract);
          !why.empty())
        return end(RunResult::kRefused, "site " + link.expected.name + ": " + why);
  if (past_->last("opening") == Recollection::kNone)
    return end(RunResult::kRefused,
               "the record ends before the first step; run the test anew");
  recorded_ =
      std::max(std::min(past_->last("answer"), past_->last("result")), kOpeningStep);
  try {
    const Recorder::Streams streams = make_accounts();
    std::vector<std::int64_t> last(streams.size(), recorded_);
    last[2] = kOpeningStep;
    record_into(recorder_.reopen(settings_.session, streams, last));
  } catch (const std::exception& error) {
    return end(RunResult::kRefused,
               std::string("the record cannot be gone on with: ") + error.what());
  }
  substructure_.prepare();
  barrier_.open(kOpeningStep);
  past_->row("opening", kOpeningStep, past_row_);
  for (std::size_t site = 0; site < links_.size(); ++site) {
    StepResponse opening;
    account_->read_back(past_row_, site, opening);
    opening.step = kOpeningStep;
    barrier_.accept(site, opening);
    criteria_->answer(site, opening);
    account_->open(site, opening);
    SiteLink& link = links_[site];
    link.session.move(SessionState::kArmed);
    link.session.move(SessionState::kHolding);
    link.held = true;
  }
  past_answers_.assign(barrier_.answers().begin(), barrier_.answers().end());
  substructure_.correct(kOpeningStep, past_answers_);
  replayed_ = kOpeningStep;
  phase_ = Phase::kReplaying;
  deadline_ = TimePoint::max();
}

void IntegratorNode::replay() {
  for (int n = 0; n < kStepsPerTick && replayed_ < recorded_; ++n)
    if (!replay_step(++replayed_)) return;
  if (replayed_ < recorded_) return;
  for (std::int64_t early = recorded_ - settings_.pace.latency_steps + 1;
       early <= recorded_; ++early)
    if (early >= 0) replay_answers(early);
  step_ = recorded_;
  recorder_.audit(audit_resumed(settings_.by.empty() ? "integrator" : settings_.by,
                                "terminal", std::to_string(recorded_ + 1), "of each site"));
  recorder_.event(steps_done_, "state",
                  "goes on from its record at step " + std::to_string(recorded_ + 1));
  pausing_ = true;
  operator_decides_ = real_equipment();
  resumed_by_ = settings_.by;
  hold_reason_ = "the integrator was restarted";
  held_since_ = now_;
  phase_ = Phase::kHeld;
  deadline_ = held_deadline();
  if (recorded_ + 1 >= settings_.steps) end(RunResult::kComplete, {});
}

/// @returns false where the record is not of this test
bool IntegratorNode::replay_step(std::int64_t step) {
  substructure_.predict(step, requests_);
  account_->intend(step, requests_);
  if (past_->row("intent", step, past_row_)) {
    std::size_t column = 0;
    for (const SiteRequest& request : requests_)
      for (const double target : request.target.displacement)
        if (std::memcmp(&target, &past_row_[column++], sizeof target) != 0) {
          end(RunResult::kRefused, "the replay asks for another target at step " +
                                       std::to_string(step) +
                                       " than the record; it was made by another program "
                                       "or on another processor");
          return false;
        }
  }
  const std::int64_t answered = step - settings_.pace.latency_steps;
  if (answered >= 0) {
    barrier_.open(answered);
    replay_answers(answered);
  }
  past_->row("answer", step, past_row_);
  const double* in = past_row_.data();
  for (SiteAnswer& answer : past_answers_) {
    for (Eigen::Index i = 0; i < answer.measured.size(); ++i) {
      answer.measured[i] = *in++;
      answer.force[i] = *in++;
    }
    for (Eigen::Index i = answer.measured.size(); i < answer.force.size(); ++i)
      answer.force[i] = *in++;
  }
  remember_for_those_behind(step);
  substructure_.correct(step, past_answers_);
  account_->close(step, substructure_);
  criteria_->close(requests_, account_->motion());
  ++steps_done_;
  return true;
}

/// What the sites answered to this step, by the record.
void IntegratorNode::replay_answers(std::int64_t step) {
  if (!past_->row("result", step, past_row_)) return;
  for (std::size_t site = 0; site < links_.size(); ++site) {
    StepResponse response;
    response.step = step;
    if (account_->read_back(past_row_, site, response)) {
      barrier_.accept(site, response);
      criteria_->answer(site, response);
      account_->answer(site, response);
      ++links_[site].steps;
    } else if (step == barrier_.step()) {
      barrier_.extrapolate(site, settings_.misses.order);
      criteria_->missed(site, step);
    }
  }
}

void IntegratorNode::remember_for_those_behind(std::int64_t step) {
  if (settings_.mode == Mode::kRealTime || settings_.mode == Mode::kContinuous) return;
  for (std::size_t site = 0; site < links_.size(); ++site) {
    SiteLink& link = links_[site];
    if (step <= link.last_step) continue;
    StepCommand& command = link.again.emplace_back(commands_[site]);
    command.step = step;
    command.due = session_time(step);
    command.target = requests_[site].target;
    command.feedforward_target = requests_[site].feedforward_target;
    command.command_feedforward = requests_[site].command_feedforward;
    link.answers.push_back(past_answers_[site]);
  }
}

/// A site repeats a step that its record had lost: the same bits, or it is another rig.
void IntegratorNode::repeat(SiteLink& link, std::size_t site,
                            const StepResponse& response) {
  if (response.session != settings_.session || link.caught_up >= link.again.size()) return;
  link.heard = now_;
  if (response.step != link.again[link.caught_up].step) return;
  const SiteAnswer& answer = link.answers[link.caught_up];
  if (!same_bits(answer.measured, response.measured) ||
      !same_bits(answer.force, response.force))
    return fail(RunResult::kStopped,
                "site " + link.expected.name + " does not repeat its answer to step " +
                    std::to_string(response.step) +
                    "; its record had lost that step, and the rig is not where it was",
                "integrator", Fault{FaultKind::kStopped, -1, 0.0, 0.0});
  ++link.caught_up;
  deadline_ = deadline_after(now_, settings_.answer);
  if (link.caught_up < link.again.size()) {
    transport_.send(static_cast<int>(site), link.again[link.caught_up]);
    link.sent = now_;
  }
}

void IntegratorNode::catch_up() {
  if (waiting_for_nobody()) run_on();
}

}  // namespace trestle
