#include "numerical/structure/gauss_points.h"

#include <cmath>

namespace trestle::structure {

std::vector<GaussPoint> gauss_points(int count) {
  switch (count) {
    case 2:
      return {{-std::sqrt(1.0 / 3.0), 1.0}, {std::sqrt(1.0 / 3.0), 1.0}};
    case 3:
      return {{-std::sqrt(0.6), 5.0 / 9.0}, {0.0, 8.0 / 9.0}, {std::sqrt(0.6), 5.0 / 9.0}};
    case 4: {
      const double root = 2.0 / 7.0 * std::sqrt(1.2);
      const double inner = std::sqrt(3.0 / 7.0 - root);
      const double outer = std::sqrt(3.0 / 7.0 + root);
      const double more = (18.0 + std::sqrt(30.0)) / 36.0;
      const double less = (18.0 - std::sqrt(30.0)) / 36.0;
      return {{-outer, less}, {-inner, more}, {inner, more}, {outer, less}};
    }
    default: {
      const double root = 2.0 * std::sqrt(10.0 / 7.0);
      const double inner = std::sqrt(5.0 - root) / 3.0;
      const double outer = std::sqrt(5.0 + root) / 3.0;
      const double more = (322.0 + 13.0 * std::sqrt(70.0)) / 900.0;
      const double less = (322.0 - 13.0 * std::sqrt(70.0)) / 900.0;
      return {{-outer, less},
              {-inner, more},
              {0.0, 128.0 / 225.0},
              {inner, more},
              {outer, less}};
    }
  }
}

}  // namespace trestle::structure
