#pragma once

#include <Eigen/Core>

namespace trestle::compensators {

/// The commands that one actuator may be given at the knots of a plan:
///
///   |v₀ − start| <= step,   |vⱼ − vⱼ₋₁| <= step,   |vⱼ| <= stroke,   j = 0 ... knots − 1.
///
/// A start beyond the stroke returns at the step: |vⱼ| <= max(stroke, |start| −
/// (j+1)·step), so that there always is such a path.
///
/// project() is exact, by dynamic programming: with φⱼ(v) the least ½Σ(vᵢ − pᵢ)² of the
/// first j + 1 knots that ends at vⱼ = v, the derivative φⱼ' is a broken line that rises,
/// and φⱼ₊₁'(v) = v − pⱼ₊₁ + (φⱼ' opened by ±step at its zero). Each knot adds two corners:
/// at most 12·knots·(knots + 1) comparisons and additions, whatever the numbers are.
class LimitedPath {
 public:
  static constexpr int kMostKnots = 16;

  /// @param stroke  > 0; may be infinite [m | rad]
  /// @param step    > 0; may be infinite [m | rad]
  LimitedPath(double stroke, double step) noexcept : stroke_(stroke), step_(step) {}

  bool unlimited() const noexcept;
  /// The largest |vⱼ| at knot j of a path from `start`.
  double stroke_at(double start, int knot) const noexcept;

  /// Replaces `path` by the path within the limits whose sum of squared differences to it
  /// is least; leaves every bit of a path within the limits.
  /// @param path  1 ... kMostKnots finite values
  /// Allocates nothing.
  void project(double start, Eigen::Ref<Eigen::VectorXd> path) const noexcept;
  bool contains(double start, const Eigen::Ref<const Eigen::VectorXd>& path) const noexcept;

 private:
  double stroke_;
  double step_;
};

}  // namespace trestle::compensators
