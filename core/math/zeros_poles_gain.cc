#include "core/math/zeros_poles_gain.h"

#include <cmath>

#include "core/base/setting_error.h"
#include "core/math/polynomial_factors.h"

namespace trestle::math {
namespace {

PolynomialFactor take_two(std::vector<double>& reals) {
  const double a = reals.back();
  reals.pop_back();
  const double b = reals.back();
  reals.pop_back();
  return {2, -(a + b), a * b};
}

PolynomialFactor take_one(std::vector<double>& reals) {
  const double a = reals.back();
  reals.pop_back();
  return {1, 0.0, -a};
}

/// numerator / denominator, degree of the numerator not above that of the denominator.
StateSpace section(const PolynomialFactor& numerator, const PolynomialFactor& denominator) {
  const Eigen::Index n = denominator.degree;
  StateSpace system{Eigen::MatrixXd::Zero(n, n), Eigen::MatrixXd::Zero(n, 1),
                    Eigen::MatrixXd::Zero(1, n), Eigen::MatrixXd::Zero(1, 1)};
  const bool biproper = numerator.degree == denominator.degree;
  system.D(0, 0) = biproper ? 1.0 : 0.0;
  system.B(n - 1, 0) = 1.0;
  if (n == 1) {
    system.A(0, 0) = -denominator.constant;
    system.C(0, 0) = biproper ? numerator.constant - denominator.constant : 1.0;
    return system;
  }
  system.A << 0.0, 1.0, -denominator.constant, -denominator.linear;
  if (biproper)
    system.C << numerator.constant - denominator.constant,
        numerator.linear - denominator.linear;
  else if (numerator.degree == 1)
    system.C << numerator.constant, 1.0;
  else
    system.C << 1.0, 0.0;
  return system;
}

/// second(first(u)).
StateSpace cascade(const StateSpace& first, const StateSpace& second) {
  const Eigen::Index n = first.states();
  const Eigen::Index m = second.states();
  StateSpace both{Eigen::MatrixXd::Zero(n + m, n + m), Eigen::MatrixXd(n + m, 1),
                  Eigen::MatrixXd(1, n + m), second.D * first.D};
  both.A.topLeftCorner(n, n) = first.A;
  both.A.bottomLeftCorner(m, n) = second.B * first.C;
  both.A.bottomRightCorner(m, m) = second.A;
  both.B << first.B, second.B * first.D;
  both.C << second.D * first.C, second.C;
  return both;
}

}  // namespace

StateSpace realise(const ZerosPolesGain& transfer, const std::string& path) {
  if (transfer.zeros.size() > transfer.poles.size())
    throw SettingError(path, "has " + std::to_string(transfer.zeros.size()) +
                                 " zeros and " + std::to_string(transfer.poles.size()) +
                                 " poles; a rig needs at least as many poles as zeros");
  std::vector<PolynomialFactor> zero_pairs;
  std::vector<PolynomialFactor> pole_pairs;
  std::vector<double> zeros;
  std::vector<double> poles;
  factorise_roots(transfer.zeros, path + ".zeros", zero_pairs, zeros);
  factorise_roots(transfer.poles, path + ".poles", pole_pairs, poles);

  StateSpace system{Eigen::MatrixXd(0, 0), Eigen::MatrixXd(0, 1), Eigen::MatrixXd(1, 0),
                    Eigen::MatrixXd::Ones(1, 1)};
  const auto append = [&system](const PolynomialFactor& numerator,
                                const PolynomialFactor& denominator) {
    system = cascade(system, section(numerator, denominator));
  };
  // A pair of complex zeros needs two poles in its section; what is left over fits, since
  // there are no more zeros than poles.
  while (!zero_pairs.empty()) {
    if (pole_pairs.empty()) {
      append(zero_pairs.back(), take_two(poles));
    } else {
      append(zero_pairs.back(), pole_pairs.back());
      pole_pairs.pop_back();
    }
    zero_pairs.pop_back();
  }
  while (!poles.empty()) {
    const PolynomialFactor numerator = zeros.empty() ? PolynomialFactor{} : take_one(zeros);
    append(numerator, take_one(poles));
  }
  while (!pole_pairs.empty()) {
    const PolynomialFactor numerator = zeros.size() >= 2   ? take_two(zeros)
                                       : zeros.size() == 1 ? take_one(zeros)
                                                           : PolynomialFactor{};
    append(numerator, pole_pairs.back());
    pole_pairs.pop_back();
  }
  system.C *= transfer.gain;
  system.D *= transfer.gain;
  return balanced(std::move(system));
}

double static_gain(const ZerosPolesGain& transfer, double value, const std::string& path) {
  std::complex<double> ratio = 1.0;
  for (const std::complex<double>& pole : transfer.poles) ratio *= -pole;
  for (const std::complex<double>& zero : transfer.zeros) ratio /= -zero;
  if (!std::isfinite(ratio.real()) || ratio.real() == 0.0)
    throw SettingError(path,
                       "has a zero or a pole at zero, where no gain gives the value " +
                           std::to_string(value) + "; give its gain itself");
  return value * ratio.real();
}

}  // namespace trestle::math
