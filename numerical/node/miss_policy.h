#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "numerical/node/integrator_settings.h"
#include "numerical/node/missed_response_monitor.h"

namespace trestle::integrator_node {

/// Handles responses that are missing when their step closes: extrapolates them, until
/// there are too many. Sized at set-up.
class MissPolicy {
 public:
  enum class Verdict : std::uint8_t {
    kMakeUp,    ///< the answer may be extrapolated
    kStop,      ///< on_miss: stop
    kInARow,    ///< more in a row than allowed
    kInWindow,  ///< more in the window than allowed
  };

  /// @param time_step  Δt [s], > 0
  MissPolicy(const MissedResponseSettings& settings, double time_step, std::size_t sites);

  /// A step is open: no answer to it is made up for.
  void open() noexcept { made_up_.assign(made_up_.size(), false); }
  /// The answer of this site is not in by its deadline.
  Verdict missed(std::size_t site) noexcept;
  /// The step closes: every other site has answered.
  void close() noexcept;
  /// After a hold: what led to it does not count against what follows.
  void reset_counts() noexcept;

  const MissedResponseMonitor& of(std::size_t site) const noexcept {
    return monitors_[site];
  }
  const MissedResponseSettings& settings() const noexcept { return settings_; }

 private:
  MissedResponseSettings settings_;
  std::vector<MissedResponseMonitor> monitors_;
  std::vector<bool> made_up_;
};

}  // namespace trestle::integrator_node
