#include "site-servers/node/step_server.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "site-servers/node/longest_times.h"
#include "site-servers/node/site_text.h"

namespace trestle::site_node {
namespace {

bool has_length(const InterfaceMotion& target, Eigen::Index dofs) noexcept {
  return target.displacement.size() == dofs && target.velocity.size() == dofs &&
         target.acceleration.size() == dofs;
}

bool has_feedforward(const StepCommand& command) noexcept {
  return command.feedforward_target.displacement.size() != 0 ||
         command.command_feedforward.size() != 0;
}

}  // namespace

bool StepServer::serve(const StepCommand& command) {
  const StepPosition& position = site_.position;
  if (command.step >= 0 && command.step == position.executed && !lost_row_) {
    // The same again: the same bits, and no second motion. A result that power loss could
    // take is answered when it is safe, whether it was asked for or not.
    const bool safe =
        !waiting_answer_ && (site_.agreed.rules->answer != AnswerNeeds::kDurableResult ||
                             site_.record.is_durable(answer_ticket_));
    if (safe) send_answer();
    return false;
  }
  bool readable = false;
  if (command.step >= 0 && command.step <= position.executed &&
      answer_from_record(command.step, readable))
    return false;
  // An integrator that sends a request does not know that the site holds, or why: the Hello
  // states what is possible, and the fault is reported again.
  const SiteSession& session = site_.session;
  if (session.in(session::SessionState::kHolding) && session.can_resume()) {
    parts_.heartbeats.say_hello();
    return false;
  }
  if (session.in(session::SessionState::kFault)) {
    parts_.hold.repeat();
    return false;
  }
  // A server that is started again takes the step from its intent.
  if (lost_row_ && command.step == position.executed) {
    parts_.hold.trip_for_record();
    return false;
  }
  // In lock-step a later one was sent only after the answer to this one had come; a timed
  // loop has it already.
  if (command.step >= 0 && command.step <= position.accepted) {
    // It is not in the record, if that could be read.
    if (site_.agreed.rules->skips_steps && command.step <= settled_ && readable)
      answer_missed(command.step);
    return false;
  }
  if (const auto refusal = refusal_of(command)) {
    refuse(*refusal);
    return false;
  }
  return accept(command);
}

std::optional<StepRefusal> StepServer::refusal_of(const StepCommand& command) const {
  using enum StepRefusal::Why;
  const PaceRules& rules = *site_.agreed.rules;
  const StepPosition& position = site_.position;
  const std::int64_t step = command.step;
  const std::int64_t last = position.accepted;
  const bool running = site_.session.in(session::SessionState::kRunning);
  // The modes that wait have one step at a time, up to the answer to it.
  const bool one_by_one = rules.timed_loop && !rules.skips_steps;
  if (one_by_one && running && step == last + 1 &&
      (last > position.executed || waiting_answer_))
    return StepRefusal{kStepUnderWay, step, last};
  if (!running) return StepRefusal{kNotRunning, step};
  // In real time a lost step is skipped, because time does not wait for it.
  if (rules.skips_steps ? step <= last : step != last + 1)
    return StepRefusal{kOutOfOrder, step, last + 1};
  const std::int64_t planned = site_.agreed.configure.steps_planned;
  if (planned > 0 && step >= planned) return StepRefusal{kAfterEnd, step, planned - 1};
  return refusal_of_vectors(command);
}

std::optional<StepRefusal> StepServer::refusal_of_vectors(
    const StepCommand& command) const {
  const auto dofs = static_cast<Eigen::Index>(controlled_dofs(site_.agreed.layout));
  const Eigen::Index part = command.feedforward_target.displacement.size();
  const Eigen::Index forward = command.command_feedforward.size();
  if (!has_length(command.target, dofs) || (part != 0 && part != dofs) ||
      !has_length(command.feedforward_target, part) || (forward != 0 && forward != dofs))
    return StepRefusal{StepRefusal::Why::kWrongLengths, command.step, dofs};
  if (has_feedforward(command) && !site_.settings.loading_frame->linear())
    return StepRefusal{StepRefusal::Why::kFrameNotLinear, command.step};
  return std::nullopt;
}

void StepServer::refuse(const StepRefusal& refusal) {
  site_.notes.refuse(site_text::sentence(refusal, site_.agreed, site_.session));
}

/// A step that nothing speaks against.
bool StepServer::accept(const StepCommand& command) {
  if (site_.record.failed()) {
    parts_.hold.trip_for_failed_record();
    return false;
  }
  StepTimes times{
      .received = site_.peer.received_at(), .started = parts_.clock.now(), .due = {}};
  if (const Fault fault = site_.loop.control().refusal_of(command)) {
    refused(fault, command.step);
    return false;
  }
  if (has_feedforward(command) && !site_.agreed.rules->feedforward) {
    refuse({StepRefusal::Why::kNoFeedforward, command.step});
    return false;
  }
  times.due = site_.peer.to_own(command.due);
  if (is_too_far(command, times.due)) return false;
  // Recorded immediately: each step is also missed, but not before it is due. Before the
  // intent: a site that is killed in between leaves no unexplained gap.
  std::int64_t& accepted = site_.position.accepted;
  unexecuted_.overtaken({accepted + 1, command.step - 1});
  if (!site_.record.intent(command)) {
    parts_.hold.trip_for_record();
    return false;
  }
  accepted = command.step;
  site_.position.aimed = true;
  return execute(command, times);
}

/// Its moment is farther away than the site allows; then it is refused.
bool StepServer::is_too_far(const StepCommand& command, TimePoint due) {
  const AgreedTest& agreed = site_.agreed;
  const bool aims_at_due = agreed.rules->by_time && !agreed.rules->skips_steps;
  if (!aims_at_due || !site_.peer.comparison().known()) return false;
  const std::string why = refusal_of_moment(
      "step " + std::to_string(command.step) + " would be reached in", due,
      site_.peer.now() + agreed.ticks(agreed.configure.ticks_per_step),
      site_.settings.longest.ahead);
  if (!why.empty()) site_.notes.refuse(why);
  return !why.empty();
}

bool StepServer::execute(const StepCommand& command, const StepTimes& times) {
  const PaceRules& rules = *site_.agreed.rules;
  StepExecutor& executor = *site_.loop.executor();
  if (!(rules.durable_targets ? executor.keep(command, times)
                              : executor.execute(command, times))) {
    site_.position.accepted = command.step - 1;
    refuse({StepRefusal::Why::kNoRoom, command.step});
    return false;
  }
  if (!rules.durable_targets) return !rules.timed_loop;
  // Nothing moves for it before the intent is safe.
  order_ticket_ = site_.record.request_sync();
  waiting_order_ = true;
  poll_record();
  return false;
}

void StepServer::answered(std::int64_t ticks, int place) {
  SiteRecorder& record = site_.record;
  response_.session = site_.agreed.configure.session;
  const std::int64_t step = site_.position.executed = response_.step;
  const bool state = site_.loop.executor()->take_state(place, state_);
  lost_row_ = false;
  if (response_.missed) {
    // A test that is resumed at this step executes it, so the record does not have it, and
    // a simulated rig goes back to its state before it.
    unexecuted_.close(response_, ticks);
    return answer();
  }
  // A step that is not on record is not answered: after a restart it would be executed
  // again.
  lost_row_ = !unexecuted_.write_rows(step) || !record.result(response_, ticks);
  if (state) record.state(step, state_);
  // Named when no later process of the site can execute them any more.
  unexecuted_.executed(settled_, step);
  settled_ = step;
  lost_row_ ? parts_.hold.trip_for_record() : answer();
}

/// What is on record, when it is as safe as the mode wants it.
void StepServer::answer() {
  SiteRecorder& record = site_.record;
  const AnswerNeeds needs = site_.agreed.rules->answer;
  if (needs != AnswerNeeds::kResult && record.failed())
    return parts_.hold.trip_for_record();
  if (needs != AnswerNeeds::kDurableResult) return send_answer();
  // A result that power loss could take is not answered.
  answer_ticket_ = record.request_sync();
  waiting_answer_ = true;
  poll_record();
}

/// Nothing is driven before it is on record.
void StepServer::opened(int place) {
  SiteSession& session = site_.session;
  const bool state = site_.loop.executor()->take_state(place, state_);
  if (!std::exchange(session.flags().opening, false)) return;  // of a rig found again
  if (session.in(session::SessionState::kArmed)) {
    session.move(session::SessionState::kRunning);
    site_.note("state", "RUNNING");
  }
  response_.session = site_.agreed.configure.session;
  response_.stamps = {};
  if (!site_.record.closing_row(response_, 0)) return parts_.hold.trip_for_record();
  if (state) site_.record.state(kInitialStep, state_);
  send_answer();
  if (!session.in(session::SessionState::kRunning)) return;  // it was held meanwhile
  site_.loop.executor()->message_received(site_.peer.now());
  site_.loop.order(LoopCommand::Kind::kStart,
                   site_.peer.comparison().to_own(site_.peer.session_zero()));
}

bool StepServer::open() {
  if (const Fault fault = site_.loop.control().sense(TimePoint{})) {
    parts_.hold.trip(fault);
    return false;
  }
  site_.loop.control().answer(response_);
  response_.session = site_.agreed.configure.session;
  response_.step = kInitialStep;
  response_.measured_at = TimePoint{};
  if (!site_.record.closing_row(response_, 0)) {
    parts_.hold.trip_for_record();
    return false;
  }
  save_state(kInitialStep);
  send_answer();
  return true;
}

/// Refused, not tripped: nothing has moved and nothing is latched.
void StepServer::refused(const Fault& fault, std::int64_t step) {
  site_.notes.refuse(site_text::refused_target(fault, step, site_.settings, site_.agreed),
                     fault);
}

bool StepServer::poll_record() {
  if (!waiting_order_ && !waiting_answer_) return false;
  if (site_.record.failed()) {
    waiting_order_ = waiting_answer_ = false;
    parts_.hold.trip_for_failed_record();
    return false;
  }
  bool waits = false;
  if (waiting_answer_) {
    waits = !site_.record.is_durable(answer_ticket_);
    if (!waits) {
      waiting_answer_ = false;
      send_answer();
    }
  }
  if (waiting_order_ && !site_.record.is_durable(order_ticket_)) return true;
  // While the site holds the step waits, too.
  if (waiting_order_ && site_.session.in(session::SessionState::kRunning)) {
    waiting_order_ = false;
    site_.loop.executor()->execute_kept();
  }
  return waits;
}

void StepServer::begin() {
  waiting_order_ = false;  // the loop before kept it
  lost_row_ = false;
  unexecuted_.begin(site_.agreed.rules->skips_steps);
  site_.position.accepted = settled_ = kInitialStep;
  site_.position.aimed = false;
}

void StepServer::close() {
  waiting_order_ = waiting_answer_ = false;
  constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();
  unexecuted_.write_rows(kAll);
  unexecuted_.are_open_behind(settled_);
  unexecuted_.miss_all();
}

void StepServer::take_from_record(const InterruptedSession& past) {
  settled_ = past.last_step;
  if (past.last_step >= 0 && !site_.record.stored(past.last_step, response_))
    forget_answer();
  // It may have outlived the process, and not yet the power.
  answer_ticket_ = site_.record.request_sync();
  // Their rows are there; the process may have ended before it named them.
  unexecuted_.restore(past.missed);
  unexecuted_.missed({past.last_result + 1, past.last_step});
}

void StepServer::resume(bool frozen) {
  if (frozen) return;
  site_.position.accepted = site_.position.executed;
  waiting_order_ = false;
}

bool StepServer::continue_at(std::int64_t next) {
  StepPosition& position = site_.position;
  next = std::max<std::int64_t>(std::min(next, site_.agreed.configure.steps_planned), 0);
  const std::int64_t due = position.executed;
  if (lost_row_ || !unexecuted_.write_rows(next)) {
    parts_.hold.trip_for_record();
    return false;
  }
  unexecuted_.missed({settled_ + 1, next - 1});
  unexecuted_.forget();
  settled_ = std::max(settled_, next - 1);
  position.executed = position.accepted = settled_;
  if (due < settled_) {
    // A rig that came back in motion does not continue that motion.
    site_.loop.order(LoopCommand::Kind::kHold);
    forget_answer();
  } else if (due > settled_) {
    site_.note("state", site_text::executed_after_all(settled_ + 1, due));
    if (settled_ < 0 || !site_.record.stored(settled_, response_)) forget_answer();
  }
  return true;
}

/// Of a step that was missed for good an integrator that was resumed may ask.
void StepServer::answer_missed(std::int64_t step) {
  StepResponse missed;
  missed.session = site_.agreed.configure.session;
  missed.step = step;
  missed.missed = true;
  site_.peer.answer(missed);
}

/// The last step was missed: there is none.
void StepServer::forget_answer() {
  response_ = {};
  response_.session = site_.agreed.configure.session;
  response_.step = site_.position.executed;
  response_.missed = true;
}

/// Loop and simulated rig as they are after the initial measurement.
void StepServer::save_state(std::int64_t step) {
  if (!site_.record.keeps_state()) return;
  snapshot_.clear();
  site_.loop.control().save(snapshot_);
  if (!site_.rig.real()) site_.rig.guard().save(snapshot_);
  state_ = snapshot_.values();  // with room for those of the steps
  site_.record.state(step, state_);
}

/// Answers of long ago are asked for only while the site holds, or has just resumed.
bool StepServer::answer_from_record(std::int64_t step, bool& readable) {
  StepResponse old;
  if (!site_.record.stored(step, old, &readable)) return false;
  const TimePoint received = site_.peer.received_at();
  old.stamps = {received, received, received, received};
  site_.peer.answer(old);
  return true;
}

}  // namespace trestle::site_node
