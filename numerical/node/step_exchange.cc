#include "numerical/node/step_exchange.h"

#include <algorithm>

#include "numerical/node/make_step_schedule.h"

namespace trestle::integrator_node {
namespace {

// Longest time from a message to a site's first tick, in wall time.
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
  for (const SiteSpecification& site : settings.sites) layouts.push_back(site.layout);
  return layouts;
}

/// Requests with the right sizes.
std::vector<SiteTarget> requests_of(const IntegratorSettings& settings) {
  std::vector<SiteTarget> requests;
  for (const SiteSpecification& site : settings.sites)
    requests.push_back(
        {InterfaceMotion::zero(static_cast<Eigen::Index>(controlled_dofs(site.layout))),
         InterfaceMotion{}, InterfaceVector{}});
  return requests;
}

bool is_finite(const InterfaceMotion& motion) {
  return motion.displacement.allFinite() && motion.velocity.allFinite() &&
         motion.acceleration.allFinite();
}
bool is_finite_request(const SiteTarget& request) {
  return is_finite(request.target) && is_finite(request.feedforward_target) &&
         request.command_feedforward.allFinite();
}

/// Until their rows are written.
std::size_t steps_kept(const IntegratorSettings& settings) {
  const std::int64_t late = rules_of(settings.mode).late_rows;
  return late > 0 ? static_cast<std::size_t>(settings.pace.latency_steps + late + 2) : 1;
}

}  // namespace

StepExchange::StepExchange(const IntegratorSettings& settings, const Parts& parts)
    : settings_(settings),
      parts_(parts),
      schedule_(make_step_schedule(settings.mode, schedule_settings(settings))),
      barrier_(layouts_of(settings), settings.pace.latency_steps),
      misses_(settings.misses, settings.time_step, settings.sites.size()),
      in_flight_(steps_kept(settings), requests_of(settings)) {
  outgoing_.session = settings_.session;
}

std::int64_t StepExchange::answered_by(std::size_t site) const noexcept {
  return barrier_.step() == step_ && barrier_.has(site) ? step_ : step_ - 1;
}

void StepExchange::begin() {
  parts_.substructure.prepare();
  barrier_.open(kInitialStep);
}

CloseVerdict StepExchange::close_opening() noexcept {
  if (!parts_.recorder.record_opening()) return CloseVerdict::kRowLost;
  return parts_.substructure.correct(kInitialStep, barrier_.answers())
             ? CloseVerdict::kClosed
             : CloseVerdict::kDiverged;
}

void StepExchange::expect() noexcept {
  parts_.times.deadline.set(
      schedule_->silent_from(step_, parts_.times.zero, parts_.times.now), settings_.answer);
  opened_ = parts_.times.now;
}

void StepExchange::await(std::int64_t step) noexcept {
  step_ = step;
  expect();
  if (awaited() >= 0) barrier_.open(awaited());
  misses_.open();
}

OpenVerdict StepExchange::open(std::int64_t step) noexcept {
  await(step);
  DelayLedger& ledger = parts_.recorder.ledger();
  const std::span<SiteTarget> requests = in_flight_.requests(step);
  ledger.begin(step, parts_.clock.now());
  parts_.substructure.predict(step, requests);
  ledger.target_ready(step, parts_.clock.now());
  // What is computed before a step, as the iterations of an integrator are, is in no
  // state that correct() has judged.
  if (!std::all_of(requests.begin(), requests.end(), is_finite_request))
    return OpenVerdict::kDiverged;
  return parts_.recorder.intend(step, requests) ? OpenVerdict::kOpened
                                                : OpenVerdict::kRowLost;
}

void StepExchange::send() noexcept {
  const TimePoint now = parts_.times.now;
  const TimePoint due = schedule_->due(step_, TimePoint{now - parts_.times.zero},
                                       parts_.peers.longest_way(now));
  const bool answered = schedule_->rules().resends_targets && awaited() == step_;
  for (std::size_t site = 0; site < parts_.peers.size(); ++site)
    if (!answered || !barrier_.has(site)) send(step_, site, due);
  parts_.times.deadline.extend(schedule_->silent_from(step_, parts_.times.zero, opened_),
                               settings_.answer);
}

void StepExchange::send_again(std::size_t site) noexcept {
  in_flight_.fill(outgoing_, step_, site);
  parts_.peers[site].send(outgoing_, parts_.clock.now(), parts_.times.now);
}

void StepExchange::send(std::int64_t step, std::size_t site, TimePoint due) noexcept {
  in_flight_.set_due(step, due);
  in_flight_.fill(outgoing_, step, site);
  parts_.recorder.ledger().sent(
      step, site, parts_.peers[site].send(outgoing_, parts_.clock.now(), parts_.times.now));
}

void StepExchange::resend_targets(std::int64_t from, std::int64_t to) noexcept {
  for (std::int64_t step = std::max<std::int64_t>(from, 0);
       step < std::min(to, settings_.steps); ++step)
    for (std::size_t site = 0; site < parts_.peers.size(); ++site)
      if (!parts_.recorder.has(site, step)) send(step, site, schedule_->due_again(step));
}

AnswerVerdict StepExchange::accept(std::size_t site, const StepResponse& response,
                                   bool running) noexcept {
  const bool stepping = response.step != kInitialStep;
  // The site executed nothing: a miss, which is judged like one that never came. A site
  // that came back has no numbers of it, either.
  if (response.missed) {
    parts_.peers[site].resume_point.unexecuted = response.step;
    return AnswerVerdict::kNotUsed;
  }
  if (stepping && !parts_.recorder.schema().site(site).fits(response.actuators))
    return AnswerVerdict::kWrongActuators;
  // A response that was not requested yet.
  if (stepping && (!running || response.step > step_)) return AnswerVerdict::kNotUsed;
  switch (barrier_.accept(site, response)) {
    case ResponseBarrier::Result::kAccepted:
    case ResponseBarrier::Result::kQueued:
      if (!stepping) {
        parts_.recorder.opening(site, response);
        return AnswerVerdict::kOpening;
      }
      ++parts_.peers[site].steps;
      parts_.recorder.answered(site, response, parts_.peers[site].clock,
                               parts_.times.received);
      return AnswerVerdict::kUsed;
    case ResponseBarrier::Result::kStale:
      // Recorded, and not used; a repetition in lock-step contains nothing new.
      if (stepping && schedule_->rules().skips_steps) parts_.recorder.late(site, response);
      return AnswerVerdict::kNotUsed;
    case ResponseBarrier::Result::kOutOfRange:
      return AnswerVerdict::kNotUsed;
    case ResponseBarrier::Result::kNotFinite:
      return AnswerVerdict::kNotFinite;
    case ResponseBarrier::Result::kWrongLength:
      break;
  }
  const std::size_t moved = controlled_dofs(parts_.peers[site].agreement.layout);
  return response.measured.size() != static_cast<Eigen::Index>(moved)
             ? AnswerVerdict::kWrongDofs
             : AnswerVerdict::kWrongForces;
}

bool StepExchange::ready() const noexcept {
  if (awaited() >= 0) return barrier_.complete();
  return parts_.times.now >= closes();
}

std::optional<StepExchange::TooManyMisses> StepExchange::make_up() noexcept {
  if (awaited() < 0 || parts_.times.now < closes()) return {};
  for (std::size_t site = 0; site < parts_.peers.size(); ++site) {
    if (barrier_.has(site)) continue;
    const MissPolicy::Verdict verdict = misses_.missed(site);
    if (verdict != MissPolicy::Verdict::kMakeUp) return TooManyMisses{site, verdict};
  }
  // Only now: a test that stops here waits for these answers after a resume.
  for (std::size_t site = 0; site < parts_.peers.size(); ++site) {
    if (barrier_.has(site)) continue;
    barrier_.extrapolate(site, settings_.misses.order);
    parts_.recorder.missed(site, awaited());
  }
  return {};
}

CloseVerdict StepExchange::close() noexcept {
  const std::int64_t answered = awaited();
  DelayLedger& ledger = parts_.recorder.ledger();
  if (answered >= 0) ledger.joined(answered, parts_.clock.now());
  if (answered >= 0) misses_.close();
  if (step_ < settings_.steps) {
    if (!parts_.recorder.keep_used(step_, barrier_.answers()))
      return CloseVerdict::kRowLost;
    if (!parts_.substructure.correct(step_, barrier_.answers()))
      return CloseVerdict::kDiverged;
    const bool kept = parts_.recorder.close(step_, in_flight_.requests(step_));
    ++done_;
    if (!kept) return CloseVerdict::kRowLost;
  }
  const bool kept = answered < 0 || ledger.close(answered, parts_.clock.now());
  return kept ? CloseVerdict::kClosed : CloseVerdict::kRowLost;
}

std::span<const SiteTarget> StepExchange::replay(std::int64_t step) noexcept {
  const std::span<SiteTarget> requests = in_flight_.requests(step);
  parts_.substructure.predict(step, requests);
  parts_.recorder.intend(step, requests);
  return requests;
}

void StepExchange::close_replayed(std::int64_t step,
                                  std::span<const SiteResponse> answers) noexcept {
  parts_.substructure.correct(step, answers);
  parts_.recorder.close(step, in_flight_.requests(step));
  ++done_;
}

}  // namespace trestle::integrator_node
