#pragma once

#include <cstdint>
#include <span>

#include "core/base/snapshot.h"
#include "core/types/interface_vector.h"
#include "core/types/motion.h"
#include "core/types/record.h"

namespace trestle {

/// What the integrator asks of one site in one step.
struct SiteRequest {
  Target target;
  Target feedforward_target;            ///< size zero: none
  InterfaceVector command_feedforward;  ///< size zero: none [m | rad]
};

/// What one site answered to one step.
struct SiteAnswer {
  InterfaceVector measured;  ///< one per controlled DOF [m | rad]
  /// Needed to hold the specimen: +K·d, one per DOF, controlled ones first [N | N·m].
  InterfaceVector force;
};

/// The part of the structure that is understood, advanced in time together with whatever
/// makes it move. The integrator node knows no more of it than this.
///
/// Called in the order prepare(), correct(−1), then predict(k), correct(k) for k = 0, 1,
/// ... by one thread. State k is the state at time k·Δt; predict(0) asks for the initial
/// position.
class NumericalSubstructure {
 public:
  virtual ~NumericalSubstructure() = default;

  /// Steps until the excitation ends.
  virtual std::int64_t steps() const noexcept = 0;

  /// Back to the initial state.
  virtual void prepare() = 0;

  /// Fills one request per site, in the order of the test; the vectors have their size
  /// already.
  virtual void predict(std::int64_t step, std::span<SiteRequest> requests) noexcept = 0;

  /// Closes the step with the sites' answers; for step −1 with those of the opening read.
  /// @returns false where the response is no longer finite: never continue
  virtual bool correct(std::int64_t step, std::span<const SiteAnswer> answers) noexcept = 0;

  /// What record() gives, in order: `<node>.<dof>.disp_m`, `.vel_m_s`, `.acc_m_s2`, ...
  virtual const Channels& channels() const noexcept = 0;

  /// State of the step closed last.
  /// @pre row.size() == channels().size()
  virtual void record(std::span<double> row) const noexcept = 0;

  virtual void snapshot(SnapshotWriter& snapshot) const = 0;
  virtual void restore(SnapshotReader& snapshot) = 0;
};

}  // namespace trestle
