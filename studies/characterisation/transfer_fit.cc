#include "studies/characterisation/transfer_fit.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "core/math/dense_solve.h"
#include "studies/characterisation/initial_transfer_fit.h"

namespace trestle::characterisation {
namespace {

using Complex = std::complex<double>;

constexpr int kMostFitRounds = 60;
constexpr double kNoLongerGains =
    1e-7;  // change of the misfit, which is of the size of its noise
constexpr double kDifference = 1e-6;
constexpr double kGaveUp = 1e12;  // damping
constexpr std::size_t kStartsRefined = 2;
// Poles beyond this part of a tick count as immediate.
constexpr double kFastest = 1e-12;

/// A shape's parameters as one vector, and back.
class Shape {
 public:
  Shape(const DelayedTransfer& like, double tick, bool fixed_delay)
      : like_(like), tick_(tick), first_(fixed_delay ? 0 : 1) {}

  Eigen::VectorXd parameters(const DelayedTransfer& transfer) const {
    Eigen::VectorXd values(
        first_ + 1 +
        static_cast<Eigen::Index>(transfer.denominator.size() + transfer.numerator.size()));
    if (first_ == 1) values(0) = transfer.delay / tick_;
    Eigen::Index at = first_;
    values(at++) = transfer.gain;
    for (const double coefficient : transfer.denominator) values(at++) = coefficient;
    for (const double coefficient : transfer.numerator) values(at++) = coefficient;
    return values;
  }

  DelayedTransfer transfer(const Eigen::VectorXd& values) const {
    DelayedTransfer result = like_;
    if (first_ == 1) result.delay = values(0) * tick_;
    Eigen::Index at = first_;
    result.gain = values(at++);
    for (double& coefficient : result.denominator) coefficient = values(at++);
    for (double& coefficient : result.numerator) coefficient = values(at++);
    return result;
  }

  bool allows(const Eigen::VectorXd& values) const {
    if (first_ == 1 && values(0) < 0.0) return false;
    const DelayedTransfer candidate = transfer(values);
    if (!candidate.denominator.empty() && candidate.denominator.back() < kFastest)
      return false;
    return values.allFinite() && is_stable(candidate);
  }

  bool has_delay() const noexcept { return first_ == 1; }

  /// ∂H/∂parameters by differences to the side that is allowed.
  Eigen::MatrixXcd sensitivity(const Eigen::VectorXd& values, const TickCircle& circle,
                               const std::vector<Complex>& response) const {
    Eigen::MatrixXcd result(static_cast<Eigen::Index>(response.size()), values.size());
    for (Eigen::Index i = 0; i < values.size(); ++i) {
      Eigen::VectorXd aside = values;
      const double step = kDifference * std::max(std::abs(values(i)), 1e-3);
      aside(i) += step;
      const std::vector<Complex> moved = tick_response(transfer(aside), circle);
      for (std::size_t k = 0; k < response.size(); ++k)
        result(static_cast<Eigen::Index>(k), i) = (moved[k] - response[k]) / step;
    }
    return result;
  }

 private:
  DelayedTransfer like_;
  double tick_;
  Eigen::Index first_;  // place of the gain
};

double misfit_of(const FrequencyResponseData& lines, const std::vector<Complex>& response) {
  double sum = 0.0;
  for (std::size_t k = 0; k < response.size(); ++k)
    sum += std::norm(lines.measured[k] - response[k] * lines.drive[k]) /
           (lines.deviation[k] * lines.deviation[k]);
  return sum;
}

struct NormalEquations {
  Eigen::MatrixXd matrix;    // JᵀJ
  Eigen::VectorXd gradient;  // Jᵀr
};

NormalEquations normal_equations(const FrequencyResponseData& lines, const Shape& shape,
                                 const Eigen::VectorXd& values, const TickCircle& circle,
                                 const std::vector<Complex>& response) {
  Eigen::MatrixXcd J = shape.sensitivity(values, circle, response);
  Eigen::VectorXcd r(J.rows());
  for (Eigen::Index k = 0; k < J.rows(); ++k) {
    const auto line = static_cast<std::size_t>(k);
    J.row(k) *= lines.drive[line] / lines.deviation[line];
    r(k) =
        (lines.measured[line] - response[line] * lines.drive[line]) / lines.deviation[line];
  }
  return {(J.adjoint() * J).real(), (J.adjoint() * r).real()};
}

/// (matrix + damping·diagonal)⁻¹·gradient, the columns scaled to one size. A parameter at
/// its bound that is pushed against it stays.
Eigen::VectorXd damped_step(const NormalEquations& equations, double damping,
                            bool delay_stays) {
  Eigen::VectorXd scale = equations.matrix.diagonal().cwiseSqrt();
  for (double& value : scale) value = value > 0.0 ? 1.0 / value : 0.0;
  if (delay_stays) scale(0) = 0.0;
  Eigen::MatrixXd scaled = scale.asDiagonal() * equations.matrix * scale.asDiagonal();
  scaled.diagonal().array() += damping + 1e-14;
  return scale.cwiseProduct(
      math::solve_symmetric(scaled, scale.cwiseProduct(equations.gradient)));
}

/// @param values  start and result
/// @returns the misfit there
double refine(const FrequencyResponseData& lines, const TickCircle& circle,
              const Shape& shape, Eigen::VectorXd& values) {
  std::vector<Complex> response = tick_response(shape.transfer(values), circle);
  double misfit = misfit_of(lines, response);
  double damping = 1e-3;
  for (int round = 0; round < kMostFitRounds && damping < kGaveUp; ++round) {
    const NormalEquations equations =
        normal_equations(lines, shape, values, circle, response);
    const bool stays =
        shape.has_delay() && values(0) <= 0.0 && equations.gradient(0) <= 0.0;
    double gained = -1.0;
    while (gained < 0.0 && damping < kGaveUp) {
      Eigen::VectorXd next = values + damped_step(equations, damping, stays);
      if (shape.has_delay()) next(0) = std::max(next(0), 0.0);
      if (shape.allows(next)) {
        std::vector<Complex> there = tick_response(shape.transfer(next), circle);
        const double found = misfit_of(lines, there);
        if (found <= misfit) {
          gained = misfit - found;
          misfit = found;
          values = next;
          response = std::move(there);
        }
      }
      damping = gained < 0.0 ? 4.0 * damping : std::max(0.2 * damping, 1e-12);
    }
    if (gained < kNoLongerGains * std::max(1.0, misfit)) break;
  }
  return misfit;
}

std::vector<DelayedTransfer> starts(const FrequencyResponseData& lines, int order,
                                    int zeros, std::optional<double> delay, double scale) {
  std::vector<DelayedTransfer> result;
  std::vector<double> delays;
  if (delay)
    delays = {*delay};
  else
    for (const double part : {0.0, 0.3, 0.6, 0.85, 1.0})
      delays.push_back(part * lines.late);
  for (const double each : delays) {
    if (order > 0) {
      result.push_back(initial_transfer_fit(lines, order, zeros, each, scale));
      continue;
    }
    Complex ratio = 0.0;
    double power = 0.0;
    for (std::size_t k = 0; k < lines.frequency.size(); ++k) {
      ratio += lines.measured[k] * std::conj(lines.drive[k]) *
               std::polar(1.0, 2.0 * std::numbers::pi * lines.frequency[k] * each);
      power += std::norm(lines.drive[k]);
    }
    result.push_back({.scale = scale, .delay = each, .gain = ratio.real() / power});
  }
  return result;
}

Eigen::MatrixXd scaled_inverse(const Eigen::MatrixXd& matrix) {
  Eigen::VectorXd scale = matrix.diagonal().cwiseSqrt();
  for (double& value : scale) value = value > 0.0 ? 1.0 / value : 0.0;
  Eigen::MatrixXd scaled = scale.asDiagonal() * matrix * scale.asDiagonal();
  scaled.diagonal().array() += 1e-13;
  return scale.asDiagonal() *
         math::solve_symmetric(scaled,
                               Eigen::MatrixXd::Identity(matrix.rows(), matrix.cols())) *
         scale.asDiagonal();
}

}  // namespace

FittedTransfer fit_transfer(const FrequencyResponseData& lines, const TickCircle& circle,
                            int order, int zeros, std::optional<double> delay) {
  const double scale = 2.0 * std::numbers::pi * lines.frequency.back();
  std::vector<std::pair<double, DelayedTransfer>> candidates;
  for (DelayedTransfer& start : starts(lines, order, zeros, delay, scale)) {
    const double misfit = misfit_of(lines, tick_response(start, circle));
    if (std::isfinite(misfit)) candidates.emplace_back(misfit, std::move(start));
  }
  std::sort(candidates.begin(), candidates.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  candidates.resize(std::min(candidates.size(), kStartsRefined));
  FittedTransfer best;
  best.misfit = std::numeric_limits<double>::infinity();
  best.fixed_delay = delay.has_value();
  Eigen::VectorXd best_values;
  for (const auto& [unused, start] : candidates) {
    const Shape shape(start, circle.tick, delay.has_value());
    Eigen::VectorXd values = shape.parameters(start);
    if (!shape.allows(values)) continue;
    const double misfit = refine(lines, circle, shape, values);
    if (!(misfit < best.misfit)) continue;
    best.misfit = misfit;
    best.transfer = shape.transfer(values);
    best_values = values;
  }
  if (!std::isfinite(best.misfit)) return best;
  const Shape shape(best.transfer, circle.tick, delay.has_value());
  best.covariance = scaled_inverse(normal_equations(lines, shape, best_values, circle,
                                                    tick_response(best.transfer, circle))
                                       .matrix);
  return best;
}

std::vector<double> response_deviation(const FittedTransfer& fit,
                                       const TickCircle& circle) {
  const Shape shape(fit.transfer, circle.tick, fit.fixed_delay);
  const Eigen::MatrixXcd J = shape.sensitivity(shape.parameters(fit.transfer), circle,
                                               tick_response(fit.transfer, circle));
  std::vector<double> deviation;
  for (Eigen::Index k = 0; k < J.rows(); ++k)
    deviation.push_back(
        std::sqrt((J.row(k) * fit.covariance * J.row(k).adjoint())(0, 0).real()));
  return deviation;
}

}  // namespace trestle::characterisation
