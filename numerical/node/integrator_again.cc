// The part of IntegratorNode that gives a site again what its own record has lost, as after
// a power failure: the targets from the integrator's record, in order, and holds its
// answers against those of the first time.
#include <algorithm>

#include "numerical/node/integrator_node.h"

namespace trestle {
namespace {

// Recorded steps that are gone through between two looks at the bus.
constexpr int kStepsBetweenLooks = 256;

}  // namespace

/// Of the sites that came back: one that executed less than it has answered.
bool IntegratorNode::somebody_behind() const noexcept {
  for (std::size_t site = 0; site < peers_.size(); ++site)
    if (peers_[site].session.came_back() &&
        peers_[site].resume_point.last_step < exchange_.answered_by(site))
      return true;
  return false;
}

/// Simulated and pseudo-dynamic tests, in which no time has passed. Before it goes on.
/// @returns whether there is something to go through first
bool IntegratorNode::look_for_lost_steps() {
  if (past_ != nullptr || !rules_.repeats_steps) return false;
  repetition_.clear();
  if (!somebody_behind()) return false;
  std::unique_ptr<Recollection> record = recorder_.recall(settings_.session);
  std::vector<double> row;
  if (record == nullptr || !record->row("opening", kOpeningStep, row)) {
    lost_steps_are_lost();
    return true;
  }
  std::vector<SiteAnswer> opening(exchange_.barrier().answers().begin(),
                                  exchange_.barrier().answers().end());
  for (std::size_t site = 0; site < peers_.size(); ++site) {
    StepResponse read;
    record_.read_back(row, site, read);
    opening[site].measured = read.measured;
    opening[site].force = read.force;
  }
  past_targets_ = std::make_unique<PastTargets>(
      substructure_, std::move(record), exchange_.in_flight().requests(exchange_.step()),
      opening);
  return true;
}

/// While all hold.
void IntegratorNode::go_through_lost_steps() {
  if (!may_go_on()) return past_targets_.reset();  // another one went; it is begun anew
  for (int n = 0; n < kStepsBetweenLooks && past_targets_->step() + 1 < exchange_.step();
       ++n) {
    if (!past_targets_->next()) return lost_steps_are_lost();
    for (std::size_t site = 0; site < peers_.size(); ++site)
      if (peers_[site].session.came_back() &&
          past_targets_->step() > peers_[site].resume_point.last_step)
        remember(site, past_targets_->step(), past_targets_->requests()[site],
                 past_targets_->answers()[site]);
  }
  if (past_targets_->step() + 1 < exchange_.step()) return;
  past_targets_.reset();
  for (std::size_t site = 0; site < peers_.size(); ++site) {
    SitePeer& peer = peers_[site];
    if (!peer.session.came_back() || peer.resume_point.last_step >= exchange_.step() ||
        exchange_.answered_by(site) != exchange_.step())
      continue;
    remember(site, exchange_.step(), exchange_.in_flight().requests(exchange_.step())[site],
             exchange_.barrier().answers()[site]);
  }
  go_on_now();
}

void IntegratorNode::remember(std::size_t site, std::int64_t step,
                              const SiteRequest& request, const SiteAnswer& answer) {
  StepCommand command;
  command.session = settings_.session;
  command.step = step;
  command.due = exchange_.schedule().session_time(step);
  command.target = request.target;
  command.feedforward_target = request.feedforward_target;
  command.command_feedforward = request.command_feedforward;
  repetition_.add(site, command, answer);
}

void IntegratorNode::lost_steps_are_lost() {
  past_targets_.reset();
  std::string who;
  for (std::size_t site = 0; site < peers_.size(); ++site)
    if (peers_[site].session.came_back() &&
        peers_[site].resume_point.last_step < exchange_.answered_by(site))
      who += (who.empty() ? "" : "; ") + ("site " + peers_[site].name()) +
             " came back behind step " +
             std::to_string(peers_[site].resume_point.last_step) +
             " and had answered step " + std::to_string(exchange_.answered_by(site));
  fail(RunResult::kStopped,
       who +
           "; the integrator's record has not all that lies between, so it cannot be "
           "given again",
       "integrator", Fault{FaultKind::kStopped, -1, 0.0, 0.0});
}

/// Resume was heard by all: first those that lost steps follow them again.
/// @returns whether there is one
bool IntegratorNode::begin_catching_up() {
  if (phase_ == Phase::kCatchingUp) return false;
  if (!repetition_.anybody_owes()) return false;
  phase_ = Phase::kCatchingUp;
  for (std::size_t site = 0; site < peers_.size(); ++site) remind(site);
  times_.deadline.set(times_.now, settings_.answer);
  return true;
}

}  // namespace trestle
