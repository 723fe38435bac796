#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/ports/numerical_substructure.h"
#include "core/types/message.h"
#include "core/types/record.h"
#include "numerical/evaluation/criteria.h"
#include "numerical/node/site_link.h"

namespace trestle {

/// Keeps what the criteria are computed from, step by step: made of nothing but what the
/// integrator sent and was answered, so that a site in this process and one elsewhere give
/// the same numbers. Sized at set-up; a run of more numbers than 2^26 is not kept.
class CriteriaAccount {
 public:
  /// @param motion     columns that the substructure records
  /// @param responses  DOFs of it to be compared with those of its reference
  /// @param steps      of the run, at most
  CriteriaAccount(const std::vector<SiteLink>& links, const Channels& motion,
                  const std::vector<std::string>& responses, std::int64_t steps);

  /// What one site answered to the opening read, or to the open step.
  void answer(std::size_t site, const StepResponse& response) noexcept;
  /// The step is over. @param motion  what the substructure recorded
  void close(std::span<const SiteRequest> requests,
             std::span<const double> motion) noexcept;

  /// @param period  Δt [s]
  Criteria criteria(double period) const;

 private:
  /// Of one site: where its values stand in a row of the history.
  struct SiteColumns {
    std::size_t actuators = 0;  ///< first of target, measured, force of each
    std::size_t count = 0;
    std::size_t interface = 0;  ///< first of numerical, measured of each controlled DOF
    std::size_t controlled = 0;
  };
  /// A column of the motion that goes into the history.
  struct Copied {
    std::size_t from = 0;
    std::size_t to = 0;
  };

  void add_site(const SiteLink& link, const Channels& motion);
  void add_response(const std::string& dof, const Channels& motion);
  /// A column of the history for this channel of the motion, or kNone.
  int copied(const Channels& motion, const std::string& dof);
  int next_column() noexcept { return static_cast<int>(width_++); }

  CriteriaColumns columns_;
  std::vector<SiteColumns> sites_;
  std::vector<Copied> copied_;
  std::size_t width_ = 0;
  std::vector<double> row_;   ///< of the open step, measured as it was when it began
  std::vector<double> next_;  ///< what its answers measured: of the step after it
  RunHistory history_;
};

}  // namespace trestle
