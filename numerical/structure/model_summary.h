#pragma once

#include <vector>

#include "numerical/structure/structure.h"

namespace trestle {

/// What a person wants to know of a model before a test.
struct ModelSummary {
  int equations = 0;
  std::vector<double> periods;  ///< of numerical and experimental parts together [s]
  std::vector<double> ratios;   ///< of critical damping, mode by mode [1]
};

/// @param modes  how many at most
ModelSummary summarise(const Structure& structure, int modes);

}  // namespace trestle
