#pragma once

#include <vector>

#include "core/evaluation/peaks.h"
#include "core/evaluation/run_report.h"
#include "numerical/node/criteria_collector.h"
#include "numerical/node/tracking_account.h"
#include "studies/campaign/lane_form.h"

namespace trestle::campaign {

/// What the integrator's node would keep of one lane: the criteria, how the actuators
/// followed, peaks, and the largest targets.
class LaneAccount {
 public:
  /// @param run            outlives this
  /// @param target_limits  of the magnitude of each target [m | rad]; not positive: none
  LaneAccount(const LaneForm& run, std::vector<double> target_limits);

  /// @param values  of LaneRow, those of this lane
  void add(std::int64_t step, const std::vector<double>& values);
  /// A target was above its limit, or no number.
  bool exceeded() const noexcept { return exceeded_; }
  const std::vector<double>& largest_targets() const noexcept { return largest_; }

  /// Fills in the numbers of the complete run.
  /// @param report  of another run of this test that came to its end
  void fill(evaluation::RunReport& report);

 private:
  void respond(std::int64_t step, const std::vector<double>& values);
  void move(std::int64_t step, const std::vector<double>& values);

  const LaneForm& run_;
  std::vector<double> limits_;
  std::vector<double> largest_;
  bool exceeded_ = false;
  integrator_node::CriteriaCollector criteria_;
  integrator_node::TrackingAccount tracking_;
  evaluation::PeakTracker peaks_;
  std::vector<std::size_t> columns_;  // of the recorded displacements
  std::size_t own_columns_ = 0;       // before those of the reference
  std::vector<double> motion_;
  std::vector<SiteTarget> requests_;
  StepResponse response_;
};

}  // namespace trestle::campaign
