#pragma once

#include <Eigen/Core>

#include "core/types/snapshot.h"

namespace trestle {

/// Recursive least squares with forgetting,
///
///   g = P x/(λ + xᵀP x),   θ ← θ + g (y − θᵀx),   P ← (P − g xᵀP)/λ,
///
/// P carried as its square root S, P = S Sᵀ (Potter's update, as in Bierman 1977,
/// Factorization Methods for Discrete Sequential Estimation, ch. V): no rounding ever makes
/// P indefinite, so that it runs for as long as a test may. O(n²) a tick, without the heap.
///
/// Where nothing is said (x = 0), forgetting would let P grow without end; it waits while
/// the trace of P is above the limit.
class RecursiveLeastSquares {
 public:
  /// @param covariance  P at the start, symmetric and positive semidefinite
  /// @param forgetting  λ, 0 < λ <= 1
  RecursiveLeastSquares(const Eigen::VectorXd& coefficients,
                        const Eigen::MatrixXd& covariance, double forgetting,
                        double trace_limit);

  void reset() noexcept;

  /// The gain g of this row; correct() then learns from it.
  const Eigen::VectorXd& gain(const Eigen::VectorXd& row) noexcept;
  /// @param error  y − θᵀx of the row that gain() saw last
  void correct(double error) noexcept;

  const Eigen::VectorXd& coefficients() const noexcept { return coefficients_; }
  Eigen::MatrixXd covariance() const { return root_ * root_.transpose(); }

  void save(SnapshotWriter& snapshot) const;
  void restore(SnapshotReader& snapshot);

 private:
  Eigen::VectorXd first_coefficients_;
  Eigen::MatrixXd first_root_;
  double forgetting_;
  double trace_limit_;
  Eigen::VectorXd coefficients_;
  Eigen::MatrixXd root_;  // S
  // From gain() to correct(): Sᵀx, g, λ + xᵀP x.
  Eigen::VectorXd seen_;
  Eigen::VectorXd gain_;
  double spread_ = 1.0;
};

/// Square root S of a symmetric, positive semidefinite matrix, P = S Sᵀ.
/// @returns nothing (0 × 0) where it is neither, to within rounding
Eigen::MatrixXd square_root(const Eigen::MatrixXd& matrix);

}  // namespace trestle
