#pragma once

#include <vector>

namespace trestle::structure {

struct GaussPoint {
  double at;      ///< from -1 to 1
  double weight;  ///< of a sum of 2
};

/// Gauss–Legendre (Abramowitz and Stegun 1964, 25.4.29), in closed form.
/// @param count  2 to 5
std::vector<GaussPoint> gauss_points(int count);

}  // namespace trestle::structure
