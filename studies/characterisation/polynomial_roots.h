#pragma once

#include <complex>
#include <vector>

namespace trestle::characterisation {

/// Roots of 1 + c₁·x + c₂·x² + ..., complex ones in exact pairs of conjugates (Durand and
/// Kerner; for the few coefficients of a fitted transfer function).
/// @pre the last coefficient is not zero
std::vector<std::complex<double>> polynomial_roots(const std::vector<double>& coefficients);

/// The inverse: c₁, c₂, ... of Π (1 − x/root).
std::vector<double> polynomial_with_roots(const std::vector<std::complex<double>>& roots);

}  // namespace trestle::characterisation
