#include "numerical/node/tracking_account.h"

#include <cmath>

namespace trestle::integrator_node {
namespace {

// Time constant of the sliding estimates [s].
constexpr double kMemory = 2.0;

}  // namespace

TrackingAccount::TrackingAccount(const std::vector<AccountedSite>& sites,
                                 double time_step) {
  const double forgetting = std::exp(-time_step / kMemory);
  for (const AccountedSite& recorded : sites) {
    Site& site = sites_.emplace_back();
    site.whole.assign(recorded.actuators.size(), evaluation::TrackingEstimator(time_step));
    site.sliding.assign(recorded.actuators.size(),
                        evaluation::TrackingEstimator(time_step, forgetting));
  }
}

void TrackingAccount::add(std::size_t index, const StepResponse& response) noexcept {
  Site& site = sites_[index];
  const ActuatorReport& report = response.actuators;
  site.delay = report.delay;
  site.amplitude = report.amplitude;
  for (std::size_t i = 0; i < site.whole.size(); ++i) {
    const auto axis = static_cast<Eigen::Index>(i);
    site.whole[i].add(report.target[axis], report.measured[axis], report.force[axis]);
    site.sliding[i].add(report.target[axis], report.measured[axis], report.force[axis]);
  }
}

evaluation::Tracking TrackingAccount::sliding(std::size_t site,
                                              std::size_t actuator) const noexcept {
  return sites_[site].sliding[actuator].result();
}

void TrackingAccount::report(evaluation::RunReport& report) const {
  for (std::size_t index = 0; index < sites_.size(); ++index) {
    const Site& site = sites_[index];
    for (std::size_t i = 0; i < report.sites[index].tracking.size(); ++i) {
      evaluation::ActuatorTracking& tracking = report.sites[index].tracking[i];
      const evaluation::Tracking found = site.whole[i].result();
      tracking.delay = found.delay;
      tracking.amplitude = found.amplitude;
      tracking.nrmse = found.nrmse;
      tracking.peak_error = found.peak_error;
      const auto axis = static_cast<Eigen::Index>(i);
      tracking.estimated = axis < site.delay.size();
      if (!tracking.estimated) continue;
      tracking.compensator_delay = site.delay[axis];
      tracking.compensator_amplitude = site.amplitude[axis];
    }
  }
}

}  // namespace trestle::integrator_node
