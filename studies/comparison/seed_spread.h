#pragma once

#include <string>
#include <vector>

#include "studies/campaign/run_results.h"

namespace trestle::comparison {

/// What several seeds of the noise gave for one result of one test.
struct SeedSpread {
  double mean = 0.0;
  double deviation = 0.0;  ///< standard deviation of one seed, by n − 1; of one seed: 0
};

/// NaN where one of the values is, or where there are none.
SeedSpread seed_spread(const std::vector<double>& values) noexcept;

/// Probability that Student's t is above `t`, in closed form for whole degrees of freedom
/// (Abramowitz and Stegun 1964, 26.7.3 and 26.7.4).
/// @param degrees  of freedom, >= 1
double student_tail(double t, int degrees) noexcept;

/// One value for each seed; NaN where a seed has no result of this name.
std::vector<double> values_of_seeds(const std::vector<campaign::Results>& seeds,
                                    const std::string& name);

/// Which tests are the best of a row: the one with the smallest mean, and those that the
/// seeds cannot tell from it. Nobody, where no test can be told from the best.
///
/// The seeds are the same for all tests, so their differences are paired: for each test the
/// hypothesis that its expected value is not above that of the best is rejected if
/// Student's t with n − 1 degrees of freedom is above mean(d) √n / s(d) with a probability
/// of less than 0.05/(k − 1) (one-sided, Bonferroni for the k − 1 comparisons). Differences
/// that are equal for all seeds are told apart by any difference.
/// @param shortfalls  of each test, one value for each seed, the same count for all; empty:
///                    it has none
std::vector<bool> best_by_seeds(const std::vector<std::vector<double>>& shortfalls);

}  // namespace trestle::comparison
