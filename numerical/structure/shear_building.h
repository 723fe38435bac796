#pragma once

#include <memory>
#include <string>
#include <vector>

#include "numerical/materials/restoring_force.h"
#include "numerical/structure/structural_model.h"

namespace trestle::structure {

/// One floor, and what joins it to the floor below (the lowest: to the ground).
struct Storey {
  std::string name;
  double mass = 0.0;                               ///< [kg], > 0
  double stiffness = 0.0;                          ///< linear [N/m]; 0: nothing here
  std::unique_ptr<materials::RestoringForce> law;  ///< in place of the stiffness
};

/// One DOF per storey, `<storey>.x`; from the ground up. No damping, nothing experimental.
StructuralModel shear_building(std::vector<Storey> storeys);

}  // namespace trestle::structure
