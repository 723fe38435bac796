#include "numerical/node/step_account.h"

#include <algorithm>

#include "core/session/channel_names.h"

namespace trestle {
namespace {

void append(Channels& to, const Channels& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

StepAccount::StepAccount(const std::vector<SiteLink>& links,
                         const NumericalSubstructure& substructure, double time_step)
    : peaks_(substructure.channels()) {
  for (const SiteLink& link : links) {
    const std::string& site = link.expected.name;
    const std::size_t controlled = controlled_dofs(link.layout);
    columns_.push_back({intent_channels_.size(), result_channels_.size(),
                        static_cast<Eigen::Index>(controlled),
                        static_cast<Eigen::Index>(link.layout.size() - controlled),
                        static_cast<Eigen::Index>(link.actuators.size())});
    append(intent_channels_, target_channels(site, link.layout));
    append(result_channels_, answer_channels(site, link.layout, link.actuators));
    tracking_.emplace_back(link.actuators.size(), TrackingEstimator(time_step));
  }
  motion_ = result_channels_.size();
  append(result_channels_, substructure.channels());
  intent_row_.assign(intent_channels_.size(), 0.0);
  result_row_.assign(result_channels_.size(), 0.0);
}

void StepAccount::record_into(StepSink& intent, StepSink& result) noexcept {
  intent_ = &intent;
  result_ = &result;
}

bool StepAccount::intend(std::int64_t step,
                         std::span<const SiteRequest> requests) noexcept {
  for (std::size_t site = 0; site < requests.size(); ++site) {
    const InterfaceVector& target = requests[site].target.displacement;
    const SiteColumns& columns = columns_[site];
    for (Eigen::Index i = 0; i < columns.controlled; ++i) {
      intent_row_[columns.intent + static_cast<std::size_t>(i)] = target[i];
      result_row_[columns.result + static_cast<std::size_t>(3 * i)] = target[i];
    }
  }
  return intent_ == nullptr || intent_->push({step, intent_row_});
}

bool StepAccount::fits(std::size_t site, const ActuatorReport& report) const noexcept {
  const Eigen::Index actuators = columns_[site].actuators;
  return report.target.size() == actuators && report.command.size() == actuators &&
         report.measured.size() == actuators && report.force.size() == actuators;
}

void StepAccount::answer(std::size_t site, const StepResponse& response) noexcept {
  const SiteColumns& columns = columns_[site];
  double* out = &result_row_[columns.result];
  for (Eigen::Index i = 0; i < columns.controlled; ++i, out += 3) {
    out[1] = response.measured[i];
    out[2] = response.force[i];
  }
  for (Eigen::Index i = 0; i < columns.force_only; ++i)
    *out++ = response.force[columns.controlled + i];
  const ActuatorReport& report = response.actuators;
  for (Eigen::Index i = 0; i < columns.actuators; ++i, out += 4) {
    out[0] = report.target[i];
    out[1] = report.command[i];
    out[2] = report.measured[i];
    out[3] = report.force[i];
    tracking_[site][static_cast<std::size_t>(i)].add(report.target[i], report.measured[i],
                                                     report.force[i]);
  }
}

bool StepAccount::close(std::int64_t step,
                        const NumericalSubstructure& substructure) noexcept {
  const std::span<double> motion = std::span(result_row_).subspan(motion_);
  substructure.record(motion);
  peaks_.add(step, motion);
  return result_ == nullptr || result_->push({step, result_row_});
}

void StepAccount::report(RunReport& report) const {
  report.peaks = peaks_.peaks();
  for (std::size_t site = 0; site < tracking_.size(); ++site)
    for (std::size_t i = 0; i < report.sites[site].tracking.size(); ++i) {
      ActuatorTracking& tracking = report.sites[site].tracking[i];
      const Tracking found = tracking_[site][i].result();
      tracking.delay = found.delay;
      tracking.amplitude = found.amplitude;
      tracking.nrmse = found.nrmse;
      tracking.peak_error = found.peak_error;
    }
}

}  // namespace trestle
