#pragma once

#include <vector>

#include "numerical/bond_graph/constitutive_law.h"

namespace trestle::bond_graph {

/// h(x) = Σ a_i xⁱ, from a_0 on.
class PolynomialLaw final : public ConstitutiveLaw {
 public:
  explicit PolynomialLaw(std::vector<double> coefficients);

  double value(double argument) noexcept override;
  double slope(double argument) noexcept override;
  void commit(double /*argument*/) noexcept override {}
  void reset() noexcept override {}

 private:
  std::vector<double> coefficients_;
};

}  // namespace trestle::bond_graph
