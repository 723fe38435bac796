#pragma once

#include <Eigen/Core>

#include "core/base/snapshot.h"

namespace trestle::simulated {

/// A specimen as a system of first order that transfer systems move at its ports, so that
/// it can be integrated together with them: x' = f(x, d, v), force = g(x, d, v).
class SpecimenDynamics {
 public:
  virtual ~SpecimenDynamics() = default;

  virtual Eigen::Index ports() const noexcept = 0;
  virtual Eigen::Index states() const noexcept = 0;

  /// @param displacement, velocity  of every port [m, m/s]
  /// @param rate   x', states() long already
  /// @param force  needed to hold it so: +K·d [N]; ports() long already
  /// @returns false if no solution exists; rate and force are then undefined
  /// Does not allocate.
  virtual bool evaluate(const Eigen::VectorXd& x, const Eigen::VectorXd& displacement,
                        const Eigen::VectorXd& velocity, Eigen::VectorXd& rate,
                        Eigen::VectorXd& force) noexcept = 0;

  /// Hysteretic laws move to the state x for good.
  virtual void commit(const Eigen::VectorXd& x) noexcept = 0;
  /// Back to rest.
  virtual void reset() noexcept = 0;
  /// Fills in the state in which a run begins, states() long; false: at zero.
  virtual bool begin(Eigen::VectorXd& /*x*/) const noexcept { return false; }
  /// Saves the state of hysteretic laws.
  virtual void save(SnapshotWriter& /*snapshot*/) const {}
  virtual void restore(SnapshotReader& /*snapshot*/) {}
};

}  // namespace trestle::simulated
