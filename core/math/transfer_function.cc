#include "core/math/transfer_function.h"

#include <cassert>
#include <cmath>
#include <numbers>

#include "core/base/setting_error.h"

namespace trestle::math {
namespace {

using Eigen::Index;
using Polynomial = std::vector<double>;

Polynomial product(const Polynomial& left, const Polynomial& right) {
  Polynomial result(left.size() + right.size() - 1, 0.0);
  for (std::size_t i = 0; i < left.size(); ++i)
    for (std::size_t j = 0; j < right.size(); ++j) result[i + j] += left[i] * right[j];
  return result;
}

void check(const TransferFunction& function, const std::string& path) {
  const std::size_t poles = function.denominator.size();
  if (poles < 2 || function.numerator.empty() || function.numerator.size() >= poles)
    throw SettingError(path, "has " + std::to_string(function.numerator.size()) +
                                 " coefficients above and " + std::to_string(poles) +
                                 " below; the denominator needs one more at least");
  for (const Polynomial* values : {&function.numerator, &function.denominator})
    for (const double value : *values)
      if (!std::isfinite(value)) throw SettingError(path, "has a coefficient not finite");
  if (function.denominator.front() == 0.0 || function.denominator.back() == 0.0)
    throw SettingError(path + ".denominator",
                       "begins or ends with a zero; leave the leading zero out, and give a "
                       "table a loop that holds its position");
}

}  // namespace

StateSpace realise(const TransferFunction& function, const std::string& path) {
  check(function, path);
  const auto n = static_cast<Index>(function.denominator.size()) - 1;
  const double leading = function.denominator.front();
  const double last = function.denominator.back() / leading;
  const double scale = std::pow(std::abs(last), 1.0 / static_cast<double>(n));
  StateSpace system{Eigen::MatrixXd::Zero(n, n), Eigen::MatrixXd::Zero(n, 1),
                    Eigen::MatrixXd::Zero(1, n), Eigen::MatrixXd::Zero(1, 1)};
  system.A.diagonal(1).setConstant(scale);
  for (Index i = 0; i < n; ++i)
    system.A(n - 1, i) = -function.denominator[static_cast<std::size_t>(n - i)] / leading /
                         std::pow(scale, static_cast<double>(n - 1 - i));
  // x⁽ⁿ⁾ = ... + last·u, and σ zₙ₋₁' = x⁽ⁿ⁾/σⁿ⁻².
  system.B(n - 1, 0) = last / std::pow(scale, static_cast<double>(n - 1));
  const auto zeros = static_cast<Index>(function.numerator.size());
  for (Index i = 0; i < zeros; ++i)
    system.C(0, i) = function.numerator[static_cast<std::size_t>(zeros - 1 - i)] /
                     (last * leading) * std::pow(scale, static_cast<double>(i));
  return system;
}

TransferFunction transfer_function(const ServoHydraulicTable& table) {
  const double valve = 2.0 * std::numbers::pi * table.valve_frequency;
  const double oil = 2.0 * std::numbers::pi * table.oil_frequency;
  const double gain = table.loop_gain * valve * valve * oil * oil;
  Polynomial denominator =
      product({1.0, 0.0}, product({1.0, 2.0 * table.valve_damping * valve, valve * valve},
                                  {1.0, 2.0 * table.oil_damping * oil, oil * oil}));
  denominator.back() += gain;
  return {{gain}, denominator};
}

TransferFunction bessel_filter(int order, double delay) {
  assert(order >= 1 && order <= 8 && delay > 0.0);
  const auto factorial = [](int n) {
    return std::tgamma(n + 1.0);
  };
  Polynomial denominator;
  for (int k = order; k >= 0; --k)
    denominator.push_back(factorial(2 * order - k) /
                          (std::pow(2.0, order - k) * factorial(k) * factorial(order - k)) *
                          std::pow(delay, k - order));
  return {{denominator.back()}, denominator};
}

}  // namespace trestle::math
