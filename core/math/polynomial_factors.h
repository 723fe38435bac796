#pragma once

#include <complex>
#include <string>
#include <vector>

namespace trestle::math {

/// s² + linear·s + constant, or s + constant where degree is 1; degree 0 is the number 1.
struct PolynomialFactor {
  int degree = 0;
  double linear = 0.0;
  double constant = 1.0;
};

/// Splits roots into pairs of conjugates (as quadratic factors) and reals.
/// @param path  of the setting, for the error
/// @throws SettingError  if a complex root is without its conjugate, to 1e-9 of its size
void factorise_roots(std::vector<std::complex<double>> roots, const std::string& path,
                     std::vector<PolynomialFactor>& pairs, std::vector<double>& reals);

}  // namespace trestle::math
