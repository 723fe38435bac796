#pragma once

namespace trestle::identification {

/// Probability that the residual of a correct model with the stated noise is judged too
/// large.
inline constexpr double kResidualSignificance = 1e-3;

/// The value that a chi-square variable exceeds with the probability kResidualSignificance
/// (Wilson and Hilferty 1931: good to 6e-3 of it at ten degrees of freedom, 4e-4 at 100).
/// @param freedom  > 0; need not be whole
double largest_square_sum(double freedom);

}  // namespace trestle::identification
