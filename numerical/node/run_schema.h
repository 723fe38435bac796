#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/ports/numerical_substructure.h"
#include "core/record/site_step_columns.h"
#include "core/record/target_columns.h"
#include "core/record/used_response_columns.h"
#include "core/types/record.h"
#include "numerical/node/accounted_site.h"

namespace trestle::integrator_node {

/// The rows of the integrator's streams of steps: the columns of all sites, one behind the
/// other, and in `result` the motion of the substructure behind them.
class RunSchema {
 public:
  /// @param motion  what the substructure records
  RunSchema(const std::vector<AccountedSite>& sites, const Channels& motion);

  const Channels& intent_channels() const noexcept { return intent_; }
  const Channels& result_channels() const noexcept { return result_; }
  /// The responses to the initial measurement: `result` without the motion.
  Channels opening_channels() const;
  const Channels& answer_channels() const noexcept { return answer_; }

  /// A site's columns in a row of `result` or of `opening`.
  const record::SiteStepColumns& site(std::size_t site) const noexcept {
    return steps_[site];
  }
  /// First column of the motion in a row of `result`.
  std::size_t motion() const noexcept { return motion_; }

  /// Into a row of `intent`: one target per site.
  void pack_targets(std::span<const SiteTarget> requests,
                    std::span<double> row) const noexcept;
  /// A row of `intent` holds exactly these targets, to the bit.
  bool holds_targets(std::span<const double> row,
                     std::span<const SiteTarget> requests) const noexcept;

  /// Into a row of `answer`: what is used of each site's response.
  void pack_used(std::span<const SiteResponse> responses,
                 std::span<double> row) const noexcept;
  /// @pre the vectors have their sizes
  void unpack_used(std::span<const double> row,
                   std::span<SiteResponse> responses) const noexcept;

 private:
  std::vector<record::TargetColumns> targets_;
  std::vector<record::SiteStepColumns> steps_;
  std::vector<record::UsedResponseColumns> used_;
  Channels intent_;
  Channels result_;
  Channels answer_;
  std::size_t motion_ = 0;
};

}  // namespace trestle::integrator_node
