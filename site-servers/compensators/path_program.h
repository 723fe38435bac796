#pragma once

#include <Eigen/Core>
#include <vector>

#include "site-servers/compensators/limited_path.h"

namespace trestle::compensators {

/// The paths v of all actuators that minimise ½(v − v°)ᵀH(v − v°) within their limits, v°
/// the optimum without limits, by the accelerated projected gradient with constant
/// momentum:
///
///   y = vₙ + β(vₙ − vₙ₋₁),   vₙ₊₁ = P(y − H(y − v°)/L),   β = (√κ − 1)/(√κ + 1),
///
/// P the exact projection of LimitedPath, L and μ the largest and the least eigenvalue of
/// H, κ = L/μ, v₀ = v₋₁ = P(v°). Each solve() has n products with H and n + 1 projections,
/// whatever v° is; none if no limit is finite.
///
/// Bound (V-FISTA: Beck, First-Order Methods in Optimization, 2017,
/// doi:10.1137/1.9781611974997, theorem 10.42; used for certified predictive control by
/// Richter, Jones and Morari 2012): f(vₙ) − f* <= (1 − 1/√κ)ⁿ (f(v₀) − f* + μ/2 |v₀ −
/// v*|²). With δ = |P(v°) − v°| here f(v₀) <= L/2 δ² and f* >= μ/2 δ², hence
///
///   |vₙ − v*| <= error_bound()·δ,   error_bound() = √(2(κ − 1))·(1 − 1/√κ)^(n/2):
///
/// a part of the distance by which the limits are exceeded, known before the test.
class PathProgram {
 public:
  /// @param hessian     H, symmetric, positive definite; the knots of the first actuator
  ///                    first, as many knots for each
  /// @param limits      one per actuator
  /// @param iterations  n >= 0
  PathProgram(Eigen::MatrixXd hessian, std::vector<LimitedPath> limits, int iterations);

  /// @param optimum  v°
  /// @param start    where the paths begin
  /// @returns vₙ, within the limits; v° bit for bit if that is. Allocates nothing.
  const Eigen::VectorXd& solve(const Eigen::VectorXd& optimum,
                               const Eigen::Ref<const Eigen::VectorXd>& start) noexcept;

  double condition() const noexcept { return condition_; }  ///< κ
  double error_bound() const noexcept;

 private:
  void project(const Eigen::Ref<const Eigen::VectorXd>& start,
               Eigen::VectorXd& paths) const noexcept;

  Eigen::MatrixXd hessian_;
  std::vector<LimitedPath> limits_;
  int iterations_;
  bool limited_;  // any of the limits is finite
  Eigen::Index knots_;
  double largest_ = 0.0;    // L
  double condition_ = 1.0;  // κ
  double momentum_ = 0.0;   // β
  Eigen::VectorXd paths_;
  Eigen::VectorXd before_;
  Eigen::VectorXd ahead_;     // y
  Eigen::VectorXd distance_;  // y − v°
};

}  // namespace trestle::compensators
