#include "studies/characterisation/transfer_parameters.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/math/discretisation.h"

namespace trestle::characterisation {
namespace {

using Eigen::Matrix2d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

constexpr int kMostIterations = 60;
constexpr double kSettled = 1e-10;  // of ln c and ln k

/// ln c and ln k.
using Logarithms = Vector2d;

/// Displacement and its slopes against c and k: states x, x', then the same of both slopes.
math::DiscreteStateSpace model(const Logarithms& at,
                               const TransferParameterSettings& settings) {
  const double m = settings.mass, c = std::exp(at[0]), k = std::exp(at[1]);
  math::StateSpace system{MatrixXd::Zero(6, 6), MatrixXd::Zero(6, 2), MatrixXd::Zero(3, 6),
                          MatrixXd::Zero(3, 2)};
  for (Eigen::Index block = 0; block < 6; block += 2) {
    system.A(block, block + 1) = 1.0;
    system.A(block + 1, block) = -k / m;
    system.A(block + 1, block + 1) = -c / m;
    system.C(block / 2, block) = 1.0;
  }
  system.B(1, 0) = k / m;
  system.B(1, 1) = -settings.load / m;
  system.A(3, 1) = -1.0 / m;  // ∂/∂c
  system.A(5, 0) = -1.0 / m;  // ∂/∂k
  system.B(5, 0) = 1.0 / m;
  return math::discretise(system, settings.tick);
}

/// The normal equations at one point.
struct Normal {
  Matrix2d JtJ = Matrix2d::Zero();  // NOLINT(readability-identifier-naming)
  Vector2d Jtr = Vector2d::Zero();  // NOLINT(readability-identifier-naming)
  double cost = 0.0;
  double power = 0.0;  // of what was measured
  std::size_t count = 0;
};

Normal look(const Logarithms& at, const std::vector<TransferRecord>& records,
            const TransferParameterSettings& settings) {
  const math::DiscreteStateSpace moved = model(at, settings);
  const double c = std::exp(at[0]), k = std::exp(at[1]);
  Normal sum;
  VectorXd x(6), next(6);
  Vector2d input;
  for (const TransferRecord& record : records) {
    x.setZero();
    double before = 0.0;
    for (std::size_t n = 0; n < record.drive.size(); ++n) {
      const double force = record.force.empty() ? 0.0 : record.force[n];
      input << record.drive[n], 0.5 * (before + force);
      before = force;
      next.noalias() = moved.A * x;
      next.noalias() += moved.B * input;
      x = next;
      const double rest = record.displacement[n] - x[0];
      const Vector2d slope(c * x[2], k * x[4]);
      sum.JtJ += slope * slope.transpose();
      sum.Jtr += slope * rest;
      sum.cost += rest * rest;
      sum.power += record.displacement[n] * record.displacement[n];
    }
    sum.count += record.drive.size();
  }
  return sum;
}

Matrix2d inverse(const Matrix2d& A) {
  const double determinant = A(0, 0) * A(1, 1) - A(0, 1) * A(1, 0);
  Matrix2d result;
  result << A(1, 1), -A(0, 1), -A(1, 0), A(0, 0);
  return result / determinant;
}

struct Search {
  Logarithms at;
  Normal normal;
  bool settled = false;
};

Search search(const Logarithms& start, const std::vector<TransferRecord>& records,
              const TransferParameterSettings& settings) {
  Search here{start, look(start, records, settings)};
  double damped = 1e-3;
  for (int i = 0; i < kMostIterations; ++i) {
    Matrix2d matrix = here.normal.JtJ;
    matrix.diagonal() *= 1.0 + damped;
    const Vector2d step = inverse(matrix) * here.normal.Jtr;
    if (!step.allFinite()) break;
    const Logarithms there = here.at + step.cwiseMax(-2.0).cwiseMin(2.0);
    const Normal normal = look(there, records, settings);
    here.settled = step.cwiseAbs().maxCoeff() < kSettled;
    if (std::isfinite(normal.cost) && normal.cost <= here.normal.cost) {
      here.at = there;
      here.normal = normal;
      damped = std::max(1e-12, 0.1 * damped);
    } else {
      damped *= 10.0;
    }
    if (here.settled || damped > 1e12) break;
  }
  here.settled = here.settled || damped > 1e12;
  return here;
}

}  // namespace

TransferParameters fit_transfer_parameters(const std::vector<TransferRecord>& records,
                                           const TransferParameterSettings& settings) {
  Search best;
  best.normal.cost = std::numeric_limits<double>::infinity();
  for (const double frequency : {2.0, 6.0, 18.0, 54.0}) {
    const double omega = 2.0 * std::numbers::pi * frequency;
    const Search found =
        search({std::log(settings.mass * omega), std::log(settings.mass * omega * omega)},
               records, settings);
    if (found.normal.cost < best.normal.cost) best = found;
  }
  if (!std::isfinite(best.normal.cost) || best.normal.count < 3) return {};
  TransferParameters result;
  result.damping = std::exp(best.at[0]);
  result.stiffness = std::exp(best.at[1]);
  const auto degrees = static_cast<double>(best.normal.count - 2);
  result.misfit = std::sqrt(best.normal.cost / static_cast<double>(best.normal.count));
  result.relative = std::sqrt(best.normal.cost / best.normal.power);
  const double variance =
      std::max(best.normal.cost / degrees, settings.noise * settings.noise);
  const Matrix2d covariance = variance * inverse(best.normal.JtJ);
  result.damping_deviation = result.damping * std::sqrt(covariance(0, 0));
  result.stiffness_deviation = result.stiffness * std::sqrt(covariance(1, 1));
  result.frequency = std::sqrt(result.stiffness / settings.mass) / (2.0 * std::numbers::pi);
  result.ratio = 0.5 * result.damping / std::sqrt(result.stiffness * settings.mass);
  result.found = best.settled;
  return result;
}

}  // namespace trestle::characterisation
