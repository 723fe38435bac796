#pragma once

#include <vector>

#include "numerical/structure/structural_model.h"

namespace trestle {

/// What a person wants to know of a model before a test.
struct ModalSummary {
  int equations = 0;
  std::vector<double> periods;  ///< of numerical and experimental parts together [s]
  std::vector<double> ratios;   ///< of critical damping, mode by mode [1]
};

/// @param modes  how many at most
ModalSummary summarise_modes(const StructuralModel& structure, int modes);

}  // namespace trestle
