#include "studies/characterisation/delayed_transfer.h"

#include <Eigen/Core>
#include <cassert>
#include <cmath>
#include <numbers>

#include "core/math/discretisation.h"
#include "core/math/state_space.h"

namespace trestle::characterisation {
namespace {

using Complex = std::complex<double>;

math::StateSpace companion(const DelayedTransfer& transfer) {
  const Eigen::Index n = transfer.order();
  math::StateSpace system{Eigen::MatrixXd::Zero(n, n), Eigen::MatrixXd::Zero(n, 1),
                          Eigen::MatrixXd::Zero(1, n), Eigen::MatrixXd::Zero(1, 1)};
  const double last = transfer.denominator.back();
  for (Eigen::Index i = 0; i + 1 < n; ++i) system.A(i, i + 1) = 1.0;
  for (Eigen::Index i = 0; i < n; ++i)
    system.A(n - 1, i) =
        -(i == 0 ? 1.0 : transfer.denominator[static_cast<std::size_t>(i - 1)]) / last;
  system.B(n - 1, 0) = 1.0 / last;
  system.C(0, 0) = transfer.gain;
  for (std::size_t i = 0; i < transfer.numerator.size(); ++i)
    system.C(0, static_cast<Eigen::Index>(i) + 1) = transfer.gain * transfer.numerator[i];
  return math::balanced(std::move(system));
}

/// C (δ I − A)⁻¹ B as two polynomials in δ = z − 1, highest power first (Leverrier,
/// Faddeev). In z itself slow poles would cancel.
struct DeltaPolynomials {
  std::vector<double> numerator;
  std::vector<double> denominator;
};

DeltaPolynomials delta_polynomials(const math::DiscreteStateSpace& discrete) {
  const Eigen::Index n = discrete.A.rows();
  const Eigen::MatrixXd unit = Eigen::MatrixXd::Identity(n, n);
  const Eigen::MatrixXd A = discrete.A - unit;
  DeltaPolynomials result{{}, {1.0}};
  Eigen::MatrixXd R = unit;
  for (Eigen::Index k = 1; k <= n; ++k) {
    result.numerator.push_back((discrete.C * R * discrete.B)(0, 0));
    const Eigen::MatrixXd AR = A * R;
    result.denominator.push_back(-AR.trace() / static_cast<double>(k));
    R = AR + result.denominator.back() * unit;
  }
  return result;
}

// Real coefficients, complex argument: cheaper than the products of two complex numbers.
Complex value(const std::vector<double>& polynomial, Complex at) {
  double re = 0.0;
  double im = 0.0;
  for (const double coefficient : polynomial) {
    const double next = re * at.real() - im * at.imag() + coefficient;
    im = re * at.imag() + im * at.real();
    re = next;
  }
  return {re, im};
}

}  // namespace

TickCircle::TickCircle(const std::vector<double>& frequency, double tick_length)
    : tick(tick_length) {
  for (const double f : frequency) {
    const double angle = 2.0 * std::numbers::pi * f * tick;
    const double half = std::sin(0.5 * angle);
    theta.push_back(angle);
    z.emplace_back(std::cos(angle), std::sin(angle));
    z_less_1.emplace_back(-2.0 * half * half, std::sin(angle));
  }
}

std::vector<Complex> tick_response(const DelayedTransfer& transfer,
                                   const TickCircle& circle) {
  assert(transfer.delay >= 0.0);
  std::vector<Complex> response(circle.theta.size(), Complex(transfer.gain));
  if (transfer.order() > 0) {
    const DeltaPolynomials held = delta_polynomials(
        math::discretise(companion(transfer), transfer.scale * circle.tick));
    for (std::size_t k = 0; k < response.size(); ++k)
      response[k] = circle.z[k] * value(held.numerator, circle.z_less_1[k]) /
                    value(held.denominator, circle.z_less_1[k]);
  }
  const double ticks = transfer.delay / circle.tick;
  const double whole = std::floor(ticks);
  for (std::size_t k = 0; k < response.size(); ++k)
    response[k] *= std::polar(1.0, -circle.theta[k] * whole) *
                   (1.0 + (ticks - whole) * std::conj(circle.z_less_1[k]));
  return response;
}

bool is_stable(const DelayedTransfer& transfer) noexcept {
  const std::vector<double>& d = transfer.denominator;
  for (const double coefficient : d)
    if (!(coefficient > 0.0)) return false;
  if (d.size() == 3) return d[0] * d[1] > d[2];
  if (d.size() == 4) return d[2] * d[1] * d[0] > d[3] * d[0] * d[0] + d[2] * d[2];
  return true;
}

}  // namespace trestle::characterisation
