#pragma once

#include <Eigen/Core>

#include "core/base/snapshot.h"

namespace trestle::math {

/// Recursive least squares with forgetting,
///
///   g = P x/(λ + xᵀP x),   θ ← θ + g (y − θᵀx),   P ← (P − g xᵀP)/λ,
///
/// P carried as its square root S, P = S Sᵀ (Potter's update, as in Bierman 1977,
/// Factorization Methods for Discrete Sequential Estimation, ch. V): no rounding ever makes
/// P indefinite, so that it runs for as long as a test may. O(n²) a tick, without the heap.
///
/// Where a direction is not excited, forgetting would let P grow in it without end. So with
/// λ < 1 the past never fades below the information of a limit, P ≤ limit: each tick gives
/// back (1 − λ) limit⁻¹, one of its directions in turn, without moving the coefficients.
class RecursiveLeastSquares {
 public:
  /// @param covariance  P at the start, symmetric and positive semidefinite
  /// @param forgetting  λ, 0 < λ <= 1
  /// @param limit       likewise; matters where λ < 1
  RecursiveLeastSquares(const Eigen::VectorXd& coefficients,
                        const Eigen::MatrixXd& covariance, double forgetting,
                        const Eigen::MatrixXd& limit);

  void reset() noexcept;

  /// The gain g of this row; correct() then learns from it.
  const Eigen::VectorXd& gain(const Eigen::VectorXd& row) noexcept;
  /// @param error  y − θᵀx of the row that gain() saw last
  void correct(double error) noexcept;

  const Eigen::VectorXd& coefficients() const noexcept { return coefficients_; }
  Eigen::MatrixXd covariance() const { return root_ * root_.transpose(); }
  /// Writes P to `into`, as many rows and columns as coefficients; without the heap.
  void copy_covariance(Eigen::Ref<Eigen::MatrixXd> into) const noexcept {
    into = root_.lazyProduct(root_.transpose());
  }

  void save(SnapshotWriter& snapshot) const;
  void restore(SnapshotReader& snapshot);

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  void scale_row(const Eigen::Ref<const Eigen::VectorXd>& row, double forgetting) noexcept;
  void update_root(double forgetting) noexcept;

  Eigen::VectorXd first_coefficients_;
  Eigen::MatrixXd first_root_;
  double forgetting_;
  Eigen::MatrixXd given_back_;  // rows of information, one a column
  Eigen::VectorXd coefficients_;
  Eigen::MatrixXd root_;  // S
  Eigen::Index next_given_ = 0;
  // From gain() to correct(): Sᵀx, g, λ + xᵀP x.
  Eigen::VectorXd seen_;
  Eigen::VectorXd gain_;
  double spread_ = 1.0;
};

/// Square root S of a symmetric, positive semidefinite matrix, P = S Sᵀ.
/// @returns nothing (0 × 0) where it is neither, to within rounding
Eigen::MatrixXd square_root(const Eigen::MatrixXd& matrix);

}  // namespace trestle::math
