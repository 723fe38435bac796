#include "studies/identification/levenberg_marquardt.h"

#include <algorithm>
#include <cmath>

#include "studies/identification/orthogonal.h"

namespace trestle::identification {
namespace {

constexpr double kFirstDamping = 1e-3;
constexpr double kLeastDamping = 1e-16;
constexpr double kLeastScale = 0.1;  // of a clipped variable, as a part of the largest
constexpr double kMostDamping = 1e12;
/// A step that promises to lower the cost by no more than this part of a residual's mean
/// square is the last one. If the residual is noise, it moves by a hundredth of a standard
/// deviation; in a valley that the data leave open it could move anywhere.
constexpr double kLeastPromise = 1e-4;

Eigen::VectorXd clipped_step(Eigen::VectorXd step, const Eigen::VectorXd& x,
                             const Eigen::VectorXd& start, Eigen::Index clipped,
                             const DescentLimits& limits) {
  const double largest = step.head(clipped).cwiseAbs().maxCoeff();
  if (largest > limits.clip) step *= limits.clip / largest;
  for (Eigen::Index i = 0; i < clipped; ++i)
    step(i) =
        std::clamp(x(i) + step(i), start(i) - limits.reach, start(i) + limits.reach) - x(i);
  return step;
}

/// The clipped variables are logarithms, of one scale: those that the data hardly see must
/// not run away. The others keep their columns' own.
Eigen::VectorXd reach_of(const Eigen::MatrixXd& R, Eigen::Index clipped) {
  Eigen::VectorXd scale = R.colwise().norm();
  const double floor = kLeastScale * scale.head(clipped).maxCoeff();
  scale.head(clipped) = scale.head(clipped).cwiseMax(floor);
  return scale;
}

/// How hard steps are held back, by how well the last one did (Nielsen 1999).
struct Damping {
  double factor = kFirstDamping;
  double growth = 2.0;

  void good(double gain) {
    factor *= std::max(1.0 / 10.0, 1.0 - std::pow(2.0 * gain - 1.0, 3.0));
    factor = std::max(factor, kLeastDamping);
    growth = 2.0;
  }
  void bad() {
    factor *= growth;
    growth *= 2.0;
  }
};

}  // namespace

LeastSquaresResult levenberg_marquardt(const Linearise& linearise,
                                       const Eigen::VectorXd& start, Eigen::Index clipped,
                                       const DescentLimits& limits) {
  LeastSquaresResult descent{start, linearise(start), 0.0, 0, false};
  descent.cost = descent.at.residual.squaredNorm();
  QrReduction local = triangle(descent.at.jacobian, -descent.at.residual);
  Eigen::VectorXd scale = reach_of(local.R, clipped);
  Damping damping;
  double before = descent.cost;  // ten iterations ago
  while (descent.iterations < limits.most_iterations && damping.factor < kMostDamping) {
    if (descent.iterations % 10 == 0 && descent.iterations > 0) {
      if (before - descent.cost < limits.least_progress * before) break;
      before = descent.cost;
    }
    ++descent.iterations;
    const Eigen::VectorXd step =
        clipped_step(damped_solution(local, std::sqrt(damping.factor) * scale), descent.x,
                     start, clipped, limits);
    const double promise =
        local.Qb.squaredNorm() - (local.Qb - local.R * step).squaredNorm();
    const double least =
        kLeastPromise * descent.cost / static_cast<double>(descent.at.residual.size());
    const double change = step.head(clipped).cwiseAbs().maxCoeff();
    if (change < limits.tolerance || promise <= least) {
      descent.converged = true;
      break;
    }
    Linearised trial = linearise(descent.x + step);
    const double cost = trial.residual.squaredNorm();
    const double gain = (descent.cost - cost) / promise;
    if (std::isfinite(cost) && gain > 1e-4) {
      descent.x += step;
      descent.at = std::move(trial);
      descent.cost = cost;
      local = triangle(descent.at.jacobian, -descent.at.residual);
      scale = reach_of(local.R, clipped);
      damping.good(gain);
    } else {
      damping.bad();
    }
  }
  return descent;
}

}  // namespace trestle::identification
