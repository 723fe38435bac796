#pragma once

#include <Eigen/Core>

#include "core/base/snapshot.h"

namespace trestle::bond_graph {

/// A system x' = f(x, u), y = g(x, u) with all its memory sized at construction.
///
/// Hysteretic laws remember where commit() left them: any number of evaluate() calls (the
/// stages of a Runge–Kutta step) begin there.
class RightHandSide {
 public:
  virtual ~RightHandSide() = default;

  virtual Eigen::Index states() const noexcept = 0;
  virtual Eigen::Index inputs() const noexcept = 0;
  virtual Eigen::Index outputs() const noexcept = 0;

  /// @param rate    x', states() long already
  /// @param output  y, outputs() long already
  /// @returns false if the iteration on an algebraic loop does not converge (E_NEWTON:
  /// 50
  ///          iterations, 1e-12 relative); rate and output are then worthless.
  /// Does not allocate, lock or throw.
  virtual bool evaluate(const Eigen::VectorXd& x, const Eigen::VectorXd& u,
                        Eigen::VectorXd& rate, Eigen::VectorXd& output) noexcept = 0;

  /// Hysteretic laws move to the state x for good: once per completed step.
  virtual void commit(const Eigen::VectorXd& x) noexcept = 0;

  /// Resets the memory of hysteretic laws; the next state starts from zero.
  virtual void reset() noexcept = 0;

  /// Saves the state of hysteretic laws.
  virtual void save(SnapshotWriter& /*snapshot*/) const {}
  virtual void restore(SnapshotReader& /*snapshot*/) {}
};

}  // namespace trestle::bond_graph
