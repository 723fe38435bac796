#include "numerical/node/integrator_node.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>

#include "core/session/channel_names.h"
#include "core/timing/deadline.h"

namespace trestle {
namespace {

// A flood of messages must not keep a tick from ending.
constexpr int kMessagesPerTick = 64;

std::vector<SiteLink> links_of(const IntegratorSettings& settings) {
  std::vector<SiteLink> links;
  for (const SiteInTest& site : settings.sites) {
    SiteLink link;
    link.expected = site;
    links.push_back(std::move(link));
  }
  return links;
}

std::vector<InterfaceLayout> layouts_of(const IntegratorSettings& settings) {
  std::vector<InterfaceLayout> layouts;
  for (const SiteInTest& site : settings.sites) layouts.push_back(site.layout);
  return layouts;
}

std::string text(Duration duration) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.3g s", seconds(duration));
  return digits;
}

}  // namespace

IntegratorNode::IntegratorNode(const IntegratorSettings& settings,
                               NumericalSubstructure& substructure, Transport& transport,
                               Recorder& recorder)
    : settings_(settings),
      substructure_(substructure),
      transport_(transport),
      recorder_(recorder),
      links_(links_of(settings)),
      barrier_(layouts_of(settings)) {
  for (const SiteInTest& site : settings.sites)
    requests_.push_back(
        {Target::zero(static_cast<Eigen::Index>(controlled_dofs(site.layout))), Target{},
         InterfaceVector{}});
  commands_.resize(links_.size());
  for (StepCommand& command : commands_) command.session = settings_.session;
}

TimePoint IntegratorNode::tick(TimePoint now) {
  now_ = now;
  if (!started_) {
    started_ = true;
    deadline_ = deadline_after(now, settings_.connect);
    for (SiteLink& link : links_) link.sent = now;
  }
  bool worked = false;
  for (int n = 0; n < kMessagesPerTick && transport_.receive(incoming_); ++n) {
    worked = true;
    handle(incoming_);
  }
  const Phase before = phase_;
  const std::int64_t done = steps_done_;
  advance();
  check_deadline();
  worked = worked || steps_done_ != done || phase_ != before;
  if (phase_ == Phase::kDone) return TimePoint::max();
  send_heartbeats();
  return worked ? now : next_due();
}

void IntegratorNode::handle_response(SiteLink& link, std::size_t site,
                                     const StepResponse& response) {
  if (response.session != settings_.session) return;
  if (phase_ != Phase::kOpening && phase_ != Phase::kRunning) return;
  const bool stepping = response.step != kOpeningStep;
  const auto bad = [&](const std::string& what, FaultKind kind = FaultKind::kStopped) {
    fail(RunResult::kStopped,
         "site " + link.expected.name + " answered step " + std::to_string(response.step) +
             " with " + what,
         "integrator", Fault{kind, -1, 0.0, 0.0});
  };
  if (stepping && response.step == barrier_.step() &&
      !account_->fits(site, response.actuators))
    return bad("values of other lengths than the " + std::to_string(link.actuators.size()) +
               " actuators that were agreed");
  switch (barrier_.accept(site, response)) {
    case SiteBarrier::Verdict::kAccepted:
      criteria_->answer(site, response);
      if (!stepping) return;
      ++link.steps;
      return account_->answer(site, response);
    case SiteBarrier::Verdict::kOld:
      return;
    case SiteBarrier::Verdict::kWrongLength: {
      const auto moved = static_cast<Eigen::Index>(controlled_dofs(link.layout));
      if (response.measured.size() != moved)
        return bad(std::to_string(response.measured.size()) + " interface DOFs, not the " +
                   std::to_string(moved) + " that were agreed");
      return bad(std::to_string(response.force.size()) + " interface forces, not the " +
                 std::to_string(link.layout.size()) + " that were agreed");
    }
    case SiteBarrier::Verdict::kNotFinite:
      return bad("a number that is not finite", FaultKind::kNotFinite);
  }
}

void IntegratorNode::advance() {
  switch (phase_) {
    case Phase::kConnecting:
      if (all_in(SessionState::kConfigured)) arm();
      return;
    case Phase::kOpening:
      if (all_in(SessionState::kArmed)) {
        send_to_all(Start{settings_.session});
        for (SiteLink& link : links_) link.session.move(SessionState::kRunning);
        deadline_ = deadline_after(now_, settings_.answer);
      }
      if (all_in(SessionState::kRunning) && barrier_.complete()) open_run();
      return;
    case Phase::kRunning:
      if (barrier_.complete()) close_step();
      return;
    case Phase::kHolding:
      if (waiting_for_nobody()) stop_sites();
      return;
    case Phase::kStopping:
      if (waiting_for_nobody()) finish();
      return;
    case Phase::kDone:
      return;
  }
}

bool IntegratorNode::all_in(SessionState state) const noexcept {
  return std::all_of(links_.begin(), links_.end(),
                     [state](const SiteLink& link) { return link.session.in(state); });
}

void IntegratorNode::send_to_all(const SessionMessage& message) {
  for (std::size_t site = 0; site < links_.size(); ++site) {
    if (links_[site].session.in(SessionState::kOffline)) continue;
    transport_.send(static_cast<int>(site), message);
    links_[site].sent = now_;
  }
}

void IntegratorNode::open_record() {
  account_ = std::make_unique<StepAccount>(links_, substructure_, settings_.time_step);
  criteria_ = std::make_unique<CriteriaAccount>(links_, substructure_.channels(),
                                                settings_.responses, settings_.steps);
  std::string sites;
  for (const SiteLink& link : links_)
    sites += (sites.empty() ? "" : ",") + link.expected.name;
  const std::vector<StepSink*> sinks = recorder_.open(
      settings_.session,
      {{"node", "integrator"},
       {"test", settings_.test},
       {"mode", settings_.mode},
       {"software", settings_.software},
       {"time_step_s", exact_text(settings_.time_step)},
       {"sites", sites},
       {"steps_planned", std::to_string(settings_.steps)}},
      {{"intent", account_->intent_channels()}, {"result", account_->result_channels()}});
  account_->record_into(*sinks[0], *sinks[1]);
  recording_ = true;
}

void IntegratorNode::arm() {
  try {
    open_record();
  } catch (const std::exception& error) {
    return end(RunResult::kStopped,
               std::string("the record cannot be kept: ") + error.what());
  }
  substructure_.prepare();
  barrier_.open(kOpeningStep);
  phase_ = Phase::kOpening;
  send_to_all(Arm{settings_.session});
}

void IntegratorNode::open_run() {
  recorder_.event(0, "state", "RUNNING");
  phase_ = Phase::kRunning;
  if (!substructure_.correct(kOpeningStep, barrier_.answers()))
    return fail(RunResult::kStopped,
                "the computed response is not finite before the first step", "integrator",
                Fault{FaultKind::kNotFinite, -1, 0.0, 0.0});
  if (settings_.steps <= 0) return end(RunResult::kComplete, {});
  begin_step(0);
}

void IntegratorNode::begin_step(std::int64_t step) {
  deadline_ = deadline_after(now_, settings_.answer);
  barrier_.open(step);
  substructure_.predict(step, requests_);
  if (!account_->intend(step, requests_)) return fail_record();
  step_sent_ = now_;
  for (std::size_t site = 0; site < links_.size(); ++site) {
    StepCommand& command = commands_[site];
    command.step = step;
    command.due = session_time(step);
    command.target = requests_[site].target;
    command.feedforward_target = requests_[site].feedforward_target;
    command.command_feedforward = requests_[site].command_feedforward;
    transport_.send(static_cast<int>(site), command);
    links_[site].sent = now_;
  }
}

void IntegratorNode::close_step() {
  const std::int64_t step = barrier_.step();
  round_trips_.add(now_ - step_sent_);
  if (!substructure_.correct(step, barrier_.answers()))
    return fail(RunResult::kStopped,
                "the computed response is no longer finite at step " +
                    std::to_string(step) + "; the loop has diverged",
                "integrator", Fault{FaultKind::kNotFinite, -1, 0.0, 0.0});
  const bool kept = account_->close(step, substructure_);
  criteria_->close(requests_, account_->motion());
  ++steps_done_;
  if (!kept || recorder_.failed()) return fail_record();
  if (steps_done_ >= settings_.steps) return end(RunResult::kComplete, {});
  begin_step(step + 1);
}

void IntegratorNode::fail_record() {
  fail(RunResult::kStopped,
       recorder_.failed() ? recorder_.failure()
                          : "the record lost a row at step " +
                                std::to_string(barrier_.step()) + "; it came too fast",
       "integrator", Fault{FaultKind::kJournal, -1, 0.0, 0.0});
}

/// What of this site is waited for, or null.
const char* IntegratorNode::awaited(std::size_t site) const noexcept {
  const SiteLink& link = links_[site];
  const bool offline = link.session.in(SessionState::kOffline);
  switch (phase_) {
    case Phase::kConnecting:
      if (offline) return "hello";
      return link.session.in(SessionState::kConnected) ? "agreement to the configuration"
                                                       : nullptr;
    case Phase::kOpening:
      if (link.session.in(SessionState::kConfigured)) return "word that it is armed";
      // Until all are armed nobody was asked to read.
      if (!link.session.in(SessionState::kRunning)) return nullptr;
      return barrier_.has(site) ? nullptr : "opening read";
    case Phase::kRunning:
      return barrier_.has(site) ? nullptr : "answer";
    case Phase::kHolding:
      return link.held || link.lost || offline ? nullptr : "word that it holds";
    case Phase::kStopping:
      return link.stopped || link.lost || offline ? nullptr : "word that it has stopped";
    case Phase::kDone:
      break;
  }
  return nullptr;
}

bool IntegratorNode::waiting_for_nobody() const noexcept {
  for (std::size_t site = 0; site < links_.size(); ++site)
    if (awaited(site) != nullptr) return false;
  return true;
}

std::string IntegratorNode::waiting_for() const {
  std::string who;
  for (std::size_t site = 0; site < links_.size(); ++site) {
    const char* what = awaited(site);
    if (what == nullptr) continue;
    if (!who.empty()) who += ", ";
    who += std::string(what) + " of site " + links_[site].expected.name + " (" +
           links_[site].expected.where + ")";
  }
  return who;
}

void IntegratorNode::check_deadline() {
  if (now_ < deadline_) return;
  if (phase_ == Phase::kHolding) return stop_sites();
  if (phase_ == Phase::kStopping) return finish();
  const std::string who = waiting_for();
  // They get Halt and Stop all the same, but nobody waits for them a second time.
  for (std::size_t site = 0; site < links_.size(); ++site)
    if (awaited(site) != nullptr) links_[site].lost = true;
  const bool stepping = phase_ == Phase::kRunning;
  const bool opening = all_in(SessionState::kRunning);
  const Duration waited = stepping || opening ? settings_.answer : settings_.connect;
  const std::string where =
      stepping ? " to step " + std::to_string(barrier_.step()) : std::string();
  fail(RunResult::kPeerLost, "no " + who + where + " within " + text(waited), "integrator",
       Fault{FaultKind::kPeerSilent, -1, seconds(waited), seconds(waited)});
}

void IntegratorNode::send_heartbeats() {
  for (std::size_t site = 0; site < links_.size(); ++site) {
    const SiteLink& link = links_[site];
    if (link.lost || link.session.in(SessionState::kOffline)) continue;
    if (now_ - link.sent >= settings_.heartbeat) remind(site);
  }
}

TimePoint IntegratorNode::next_due() const noexcept {
  TimePoint due = deadline_;
  for (const SiteLink& link : links_)
    if (!link.lost && !link.session.in(SessionState::kOffline))
      due = std::min(due, deadline_after(link.sent, settings_.heartbeat));
  return due;
}

TimePoint IntegratorNode::session_time(std::int64_t step) const noexcept {
  return TimePoint{
      Duration{std::llround(static_cast<double>(step) * settings_.time_step * 1e9)}};
}

RunReport IntegratorNode::report() const {
  RunReport report;
  report.result = result_;
  report.reason = reason_;
  report.steps_planned = settings_.steps;
  report.steps_done = steps_done_;
  report.step_p50_s = seconds(round_trips_.quantile(0.5));
  report.step_p99_s = seconds(round_trips_.quantile(0.99));
  report.step_max_s = seconds(round_trips_.max());
  for (const SiteLink& link : links_) {
    SiteReport site{link.expected.name, link.steps, {}, link.tightened};
    for (const ActuatorDescription& actuator : link.actuators)
      site.tracking.push_back({actuator.name});
    report.sites.push_back(std::move(site));
  }
  if (account_ != nullptr) account_->report(report);
  if (criteria_ != nullptr) report.criteria = criteria_->criteria(settings_.time_step);
  report.criteria.stable = report.criteria.stable && !diverged_;
  return report;
}

}  // namespace trestle
