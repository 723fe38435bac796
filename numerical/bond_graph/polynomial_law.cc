#include "numerical/bond_graph/polynomial_law.h"

#include <utility>

namespace trestle::bond_graph {

PolynomialLaw::PolynomialLaw(std::vector<double> coefficients)
    : coefficients_(std::move(coefficients)) {}

double PolynomialLaw::value(double argument) noexcept {
  double sum = 0.0;
  for (std::size_t i = coefficients_.size(); i-- > 0;)
    sum = sum * argument + coefficients_[i];
  return sum;
}

double PolynomialLaw::slope(double argument) noexcept {
  double sum = 0.0;
  for (std::size_t i = coefficients_.size(); i-- > 1;)
    sum = sum * argument + static_cast<double>(i) * coefficients_[i];
  return sum;
}

}  // namespace trestle::bond_graph
