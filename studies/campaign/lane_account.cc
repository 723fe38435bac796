#include "studies/campaign/lane_account.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace trestle::campaign {
namespace {

using lanes::kLaneActuators;
using lanes::LaneRow;

// Of the interface, then of the actuators, as the record has them.
constexpr std::size_t kTargets = 2 * kLaneActuators;
static_assert(LaneRow::kStroke == LaneRow::kTarget + kLaneActuators);

std::vector<integrator_node::AccountedSite> accounted(const LaneForm& run) {
  const integrator_node::SiteSpecification& site = run.setup().integrator.sites.front();
  return {{site.name, site.layout,
           run.setup().sites_here.front().rig->description().actuators, site.noise}};
}

ActuatorVector actuators_of(const std::vector<double>& values, int first) {
  return Eigen::Map<const Eigen::VectorXd>(values.data() + first, kLaneActuators);
}

}  // namespace

LaneAccount::LaneAccount(const LaneForm& run, std::vector<double> target_limits)
    : run_(run),
      limits_(std::move(target_limits)),
      largest_(kTargets, 0.0),
      criteria_(accounted(run), run.setup().substructure->channels(),
                {.responses = run.setup().integrator.responses,
                 .steps = run.steps(),
                 .window = run.setup().integrator.synchronisation}),
      tracking_(accounted(run), run.setup().integrator.time_step),
      peaks_(run.setup().substructure->channels()),
      motion_(run.setup().substructure->channels().size(), 0.0),
      requests_(1, {InterfaceMotion::zero(kLaneActuators), {}, {}}) {
  limits_.resize(kTargets, 0.0);
  // Of each recorded DOF: displacement, velocity, acceleration.
  for (int i = 0; i < run.recorded(); ++i)
    columns_.push_back(3 * static_cast<std::size_t>(i));
  own_columns_ = 3 * columns_.size();
  response_.measured.resize(kLaneActuators);
  response_.force.resize(run.forces());
}

void LaneAccount::add(std::int64_t step, const std::vector<double>& values) {
  respond(step, values);
  if (step < 0) return;
  for (std::size_t i = 0; i < largest_.size(); ++i) {
    const double target = values[LaneRow::kTarget + i];
    if (i < kLaneActuators)
      requests_.front().target.displacement[static_cast<Eigen::Index>(i)] = target;
    largest_[i] = std::max(largest_[i], std::abs(target));
    if (limits_[i] > 0.0 && !(std::abs(target) <= limits_[i])) exceeded_ = true;
  }
  move(step, values);
  peaks_.add(step, motion_);
  criteria_.close(requests_, motion_);
}

void LaneAccount::respond(std::int64_t step, const std::vector<double>& values) {
  response_.step = step;
  response_.measured =
      Eigen::Map<const Eigen::VectorXd>(values.data() + LaneRow::kPosition, kLaneActuators);
  response_.force = Eigen::Map<const Eigen::VectorXd>(
      values.data() + LaneRow::kInterfaceForce, run_.forces());
  ActuatorReport& actuators = response_.actuators;
  actuators.measured = actuators_of(values, LaneRow::kMeasured);
  actuators.force = actuators_of(values, LaneRow::kForce);
  // The initial measurement belongs to no target.
  actuators.target = step < 0 ? actuators.measured : actuators_of(values, LaneRow::kStroke);
  if (step + 1 == run_.steps()) {
    actuators.delay.resize(kLaneActuators);
    actuators.amplitude.resize(kLaneActuators);
    for (int i = 0; i < kLaneActuators; ++i) {
      const auto found = run_.compensator().estimate(i);
      if (!found) {
        actuators.delay.resize(0);
        actuators.amplitude.resize(0);
        break;
      }
      actuators.delay[i] = found->delay;
      actuators.amplitude[i] = found->amplitude;
    }
  }
  criteria_.answer(0, response_);
  if (step >= 0) tracking_.add(0, response_);
}

/// What criteria and peaks look at: displacements, and all of the reference.
void LaneAccount::move(std::int64_t step, const std::vector<double>& values) {
  const auto first = static_cast<std::size_t>(LaneRow::recorded(run_.forces()));
  for (std::size_t i = 0; i < columns_.size(); ++i)
    motion_[columns_[i]] = values[first + i];
  if (run_.reference() == nullptr) return;
  const std::span<const double> reference = run_.reference()->row(step);
  std::copy(reference.begin(), reference.end(),
            motion_.begin() + static_cast<std::ptrdiff_t>(own_columns_));
}

void LaneAccount::fill(evaluation::RunReport& report) {
  criteria_.finish();
  report.steps_done = run_.steps();
  report.sites.front().steps = run_.steps();
  report.sites.front().pace = TimingStatistics{};  // as a site says on the virtual clock
  report.peaks = peaks_.peaks();
  tracking_.report(report);
  report.criteria = criteria_.criteria(run_.setup().integrator.time_step);
}

}  // namespace trestle::campaign
