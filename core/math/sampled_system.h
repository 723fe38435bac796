#pragma once

#include <Eigen/Core>

#include "core/base/snapshot.h"
#include "core/math/discretisation.h"
#include "core/math/sampled_step.h"
#include "core/math/state_space.h"

namespace trestle::math {

/// A linear system whose input is held from one instant to the next, moved on instant by
/// instant from rest.
///
/// Outputs are those at the end of the period, just before the input may change: for an
/// input u held over it, y = C x + D u and, where D has no such row,
/// dy/dt = C (A x + B u), d²y/dt² = C A (A x + B u). Rows with direct feedthrough D jump
/// with their input and have no rate of their own: rate() and acceleration() leave D out.
/// Sized in the constructor; advance() leaves the heap alone.
class SampledSystem {
 public:
  /// @param system  sizes that fit
  /// @param period  > 0 [s]
  SampledSystem(const StateSpace& system, double period,
                Discretisation method = Discretisation::kZeroOrderHold);

  /// Back to rest: all zero.
  void reset() noexcept;

  /// @pre input.size() == inputs of the system, and unit stride
  void advance(const Eigen::Ref<const Eigen::VectorXd>& input) noexcept;

  const Eigen::VectorXd& output() const noexcept { return step_.output; }
  const Eigen::VectorXd& rate() const noexcept { return step_.rate; }  ///< [1/s]
  const Eigen::VectorXd& acceleration() const noexcept {
    return step_.acceleration;
  }  ///< [1/s²]

  /// Matrices and state.
  const SampledStep<double>& step() const noexcept { return step_; }

  void save(SnapshotWriter& snapshot) const;
  void restore(SnapshotReader& snapshot);

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  SampledStep<double> step_;
};

}  // namespace trestle::math
