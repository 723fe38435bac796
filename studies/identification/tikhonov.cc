#include "studies/identification/tikhonov.h"

#include <cmath>
#include <limits>

#include "studies/identification/orthogonal.h"
#include "studies/identification/residual_weights.h"

namespace trestle::identification {
namespace {

constexpr double kGuard = 3.0;     // most a step may multiply or divide a parameter by
constexpr double kFarthest = 1e6;  // from its start
constexpr int kCandidates = 200;

double residual(const TikhonovSpectrum& spectrum, double lambda) {
  const Eigen::ArrayXd kept = lambda * lambda / (spectrum.s.square() + lambda * lambda);
  return (kept * spectrum.beta).matrix().squaredNorm() + spectrum.unreached;
}

double gcv(const TikhonovSpectrum& spectrum, double lambda) {
  const Eigen::ArrayXd squares = spectrum.s.square();
  // With as many unknowns as rows the difference below would be rounding.
  const double left = spectrum.rows > static_cast<double>(squares.size())
                          ? spectrum.rows - (squares / (squares + lambda * lambda)).sum()
                          : (lambda * lambda / (squares + lambda * lambda)).sum();
  return residual(spectrum, lambda) / std::pow(left, 2.0);
}

double solution(const TikhonovSpectrum& spectrum, double lambda) {
  return (spectrum.s / (spectrum.s.square() + lambda * lambda) * spectrum.beta)
      .matrix()
      .squaredNorm();
}

double candidate(const TikhonovSpectrum& spectrum, int i) {
  const double low = std::log(1e-12 * spectrum.s.maxCoeff());
  const double high = std::log(spectrum.s.maxCoeff());
  return std::exp(low + (high - low) * i / (kCandidates - 1));
}

double least_gcv(const TikhonovSpectrum& spectrum) {
  double best = 0.0, least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kCandidates; ++i) {
    const double lambda = candidate(spectrum, i);
    const double value = gcv(spectrum, lambda);
    if (value < least) {
      least = value;
      best = lambda;
    }
  }
  return best;
}

/// Returns the candidate at the sharpest corner of the L-curve, log of the squares.
double corner(const TikhonovSpectrum& spectrum) {
  Eigen::ArrayXd rho(kCandidates), eta(kCandidates);
  for (int i = 0; i < kCandidates; ++i) {
    const double lambda = candidate(spectrum, i);
    rho(i) = 0.5 * std::log(residual(spectrum, lambda) + 1e-300);
    eta(i) = 0.5 * std::log(solution(spectrum, lambda) + 1e-300);
  }
  int best = 0;
  double sharpest = -std::numeric_limits<double>::infinity();
  for (int i = 1; i + 1 < kCandidates; ++i) {
    const double dr = 0.5 * (rho(i + 1) - rho(i - 1));
    const double de = 0.5 * (eta(i + 1) - eta(i - 1));
    const double ddr = rho(i + 1) - 2.0 * rho(i) + rho(i - 1);
    const double dde = eta(i + 1) - 2.0 * eta(i) + eta(i - 1);
    const double length = std::pow(dr * dr + de * de, 1.5);
    if (length < 1e-14) continue;
    const double curvature = (dr * dde - ddr * de) / length;
    if (curvature > sharpest) {
      sharpest = curvature;
      best = i;
    }
  }
  return candidate(spectrum, best);
}

}  // namespace

double chosen_lambda(const TikhonovSpectrum& spectrum, Regularisation regularisation) {
  if (regularisation == Regularisation::kGcv) return least_gcv(spectrum);
  if (regularisation == Regularisation::kLCurve) return corner(spectrum);
  return 0.0;
}

Eigen::VectorXd regularised_solution(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
                                     Regularisation regularisation) {
  const QrReduction reduced = triangle(A, b);
  const SingularValues parts = singular(reduced.R);
  const TikhonovSpectrum spectrum{parts.s.array(),
                                  (parts.U.transpose() * reduced.Qb).array(),
                                  reduced.unreached, static_cast<double>(A.rows())};
  const double lambda = chosen_lambda(spectrum, regularisation);
  return parts.V *
         (spectrum.s / (spectrum.s.square() + lambda * lambda) * spectrum.beta).matrix();
}

double relative_step(Eigen::VectorXd& parameters, const Eigen::MatrixXd& A,
                     const Eigen::VectorXd& b, Regularisation regularisation) {
  const Eigen::VectorXd step =
      regularised_solution(A, b, regularisation).unaryExpr([](double x) {
        return std::clamp(1.0 + x, 1 / kGuard, kGuard);
      });
  parameters = parameters.cwiseProduct(step);
  return (step.array() - 1.0).abs().maxCoeff();
}

bool has_run_away(const Eigen::VectorXd& parameters, const Eigen::VectorXd& start) {
  return !(parameters.array() < kFarthest * start.array()).all() ||
         !(parameters.array() > start.array() / kFarthest).all();
}

ParameterEstimate tikhonov_gauss_newton(const IdentificationProblem& problem,
                                        const TikhonovSettings& settings) {
  const Eigen::VectorXd readings = measured(problem);
  const Eigen::VectorXd start = start_of(problem);
  ParameterEstimate estimate{start, {}, 0, false, 0.0};
  for (ResidualWeights weighing(problem); weighing.next(estimate);) {
    estimate.converged = false;
    for (int i = 0; i < settings.most_iterations && !estimate.converged; ++i) {
      ++estimate.iterations;
      const StackedResponse response =
          respond(problem, estimate.parameters, {}, Sensitivities::kWith);
      const Eigen::VectorXd b = weighing.weights().cwiseProduct(readings - response.values);
      estimate.cost = b.squaredNorm();
      estimate.converged =
          relative_step(estimate.parameters,
                        weighing.weights().asDiagonal() * response.by_logarithm, b,
                        settings.regularisation) < settings.tolerance;
      if (has_run_away(estimate.parameters, start)) break;
    }
  }
  return estimate;
}

}  // namespace trestle::identification
