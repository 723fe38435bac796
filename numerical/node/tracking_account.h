#pragma once

#include <cstddef>
#include <vector>

#include "core/evaluation/run_report.h"
#include "core/evaluation/tracking_estimator.h"
#include "core/types/message.h"
#include "numerical/node/accounted_site.h"

namespace trestle::integrator_node {

/// How well every actuator followed its targets, as the sites answered, and what their
/// compensators made of it. Sized at set-up; nothing here allocates per step.
class TrackingAccount {
 public:
  /// @param time_step  Δt [s]
  TrackingAccount(const std::vector<AccountedSite>& sites, double time_step);

  /// The answer of one site to a step. @pre one entry per actuator everywhere
  void add(std::size_t site, const StepResponse& response) noexcept;

  /// Late by so much, on a sliding average [s], of one actuator.
  evaluation::Tracking sliding(std::size_t site, std::size_t actuator) const noexcept;
  void report(evaluation::RunReport& report) const;

 private:
  struct Site {
    std::vector<evaluation::TrackingEstimator> whole;    // per actuator
    std::vector<evaluation::TrackingEstimator> sliding;  // the same, forgetting
    ActuatorVector delay;                                // by the compensator; size 0: none
    ActuatorVector amplitude;                            // the same
  };

  std::vector<Site> sites_;
};

}  // namespace trestle::integrator_node
