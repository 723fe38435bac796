#pragma once

#include <vector>

#include "numerical/structure/structural_model.h"

namespace trestle {

/// The properties of a model that a person checks before a test.
struct ModalSummary {
  int equations = 0;
  std::vector<double> periods;  ///< of numerical and experimental parts together [s]
  std::vector<double> ratios;   ///< of critical damping, mode by mode [1]
};

/// @param modes  how many at most
ModalSummary summarise_modes(const StructuralModel& structure, int modes);

}  // namespace trestle
