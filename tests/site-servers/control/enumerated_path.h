#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace trestle::testing {

/// One limit of a path: normal·v <= most.
struct PathLimit {
  Eigen::VectorXd normal;
  double most;
};

/// |v₀ − start| <= step, |vⱼ − vⱼ₋₁| <= step, |vⱼ| <= max(stroke, |start| − (j+1)·step) of
/// the `knots` variables from `first` on, of `variables`.
inline std::vector<PathLimit> path_limits(int variables, int first, int knots, double start,
                                          double stroke, double step) {
  std::vector<PathLimit> limits;
  for (int j = 0; j < knots; ++j)
    for (const double side : {1.0, -1.0}) {
      Eigen::VectorXd normal = Eigen::VectorXd::Zero(variables);
      normal[first + j] = side;
      if (std::isfinite(stroke))
        limits.push_back({normal, std::max(stroke, std::abs(start) - (j + 1) * step)});
      if (j > 0) normal[first + j - 1] = -side;
      if (std::isfinite(step))
        limits.push_back({normal, step + (j > 0 ? 0.0 : side * start)});
    }
  return limits;
}

/// The v that minimises ½(v − v°)ᵀH(v − v°) within the limits: each set of limits is taken
/// as equations in turn, and of the solutions that are within all limits the one with the
/// least value is it. Exponential in the number of limits.
inline Eigen::VectorXd enumerated_optimum(const Eigen::MatrixXd& hessian,
                                          const Eigen::VectorXd& optimum,
                                          const std::vector<PathLimit>& limits) {
  const Eigen::Index n = optimum.size();
  Eigen::VectorXd best = Eigen::VectorXd::Constant(n, std::nan(""));
  double least = std::numeric_limits<double>::infinity();
  for (unsigned set = 0; set < (1U << limits.size()); ++set) {
    std::vector<const PathLimit*> active;
    for (std::size_t i = 0; i < limits.size(); ++i)
      if (((set >> i) & 1U) != 0U) active.push_back(&limits[i]);
    const auto rows = static_cast<Eigen::Index>(active.size());
    if (rows > n) continue;
    Eigen::MatrixXd system = Eigen::MatrixXd::Zero(n + rows, n + rows);
    Eigen::VectorXd right = Eigen::VectorXd::Zero(n + rows);
    system.topLeftCorner(n, n) = hessian;
    right.head(n) = hessian * optimum;
    for (Eigen::Index i = 0; i < rows; ++i) {
      const PathLimit& limit = *active[static_cast<std::size_t>(i)];
      system.row(n + i).head(n) = limit.normal.transpose();
      system.col(n + i).head(n) = limit.normal;
      right[n + i] = limit.most;
    }
    const Eigen::FullPivLU<Eigen::MatrixXd> factor(system);
    if (!factor.isInvertible()) continue;
    const Eigen::VectorXd v = factor.solve(right).head(n);
    bool within = true;
    for (const PathLimit& limit : limits)
      within = within && limit.normal.dot(v) <= limit.most + 1e-10 * (1.0 + v.norm());
    const double value = 0.5 * (v - optimum).dot(hessian * (v - optimum));
    if (!within || value >= least) continue;
    least = value;
    best = v;
  }
  return best;
}

}  // namespace trestle::testing
