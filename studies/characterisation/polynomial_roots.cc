#include "studies/characterisation/polynomial_roots.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace trestle::characterisation {
namespace {

using Complex = std::complex<double>;

constexpr int kMostRounds = 500;
constexpr double kConverged = 1e-15;
// Imaginary parts below this are the rounding of a real root, or of two that are equal.
constexpr double kReal = 1e-7;

/// Real ones first, then each root of the upper half with its conjugate.
std::vector<Complex> paired(const std::vector<Complex>& roots) {
  std::vector<Complex> result;
  std::vector<Complex> upper;
  std::size_t lower = 0;
  for (const Complex& root : roots) {
    if (std::abs(root.imag()) <= kReal * std::abs(root))
      result.emplace_back(root.real(), 0.0);
    else if (root.imag() > 0.0)
      upper.push_back(root);
    else
      ++lower;
  }
  assert(upper.size() == lower);
  (void)lower;
  for (const Complex& root : upper) {
    result.push_back(root);
    result.push_back(std::conj(root));
  }
  return result;
}

}  // namespace

std::vector<Complex> polynomial_roots(const std::vector<double>& coefficients) {
  if (coefficients.empty()) return {};
  const std::size_t n = coefficients.size();
  const double last = coefficients.back();
  assert(last != 0.0);
  // x = scale·y makes the product of the roots one in size.
  const double scale = std::pow(std::abs(last), -1.0 / static_cast<double>(n));
  std::vector<double> monic(n + 1, 1.0);  // by power
  monic[0] = 1.0 / (last * std::pow(scale, static_cast<double>(n)));
  for (std::size_t i = 1; i < n; ++i)
    monic[i] = coefficients[i - 1] / last *
               std::pow(scale, static_cast<double>(i) - static_cast<double>(n));
  std::vector<Complex> roots;
  for (std::size_t i = 0; i < n; ++i)
    roots.push_back(std::pow(Complex(0.4, 0.9), static_cast<double>(i)));
  for (int round = 0; round < kMostRounds; ++round) {
    double change = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      Complex value = 0.0;
      for (std::size_t power = n + 1; power-- > 0;) value = value * roots[i] + monic[power];
      for (std::size_t j = 0; j < n; ++j)
        if (j != i) value /= roots[i] - roots[j];
      roots[i] -= value;
      change = std::max(change, std::abs(value) / std::max(1e-3, std::abs(roots[i])));
    }
    if (change < kConverged) break;
  }
  for (Complex& root : roots) root *= scale;
  return paired(roots);
}

std::vector<double> polynomial_with_roots(const std::vector<Complex>& roots) {
  std::vector<Complex> product{1.0};
  for (const Complex& root : roots) {
    product.emplace_back(0.0);
    for (std::size_t i = product.size() - 1; i > 0; --i)
      product[i] -= product[i - 1] / root;
  }
  std::vector<double> coefficients;
  for (std::size_t i = 1; i < product.size(); ++i)
    coefficients.push_back(product[i].real());
  return coefficients;
}

}  // namespace trestle::characterisation
