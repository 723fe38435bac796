#pragma once

#include "numerical/structure/frame_model.h"

namespace trestle::structure {

struct BeamSettings {
  double length = 0.0;           ///< [m], > 0
  int elements = 1;              ///< >= 1
  double elastic_modulus = 0.0;  ///< [Pa], > 0
  double second_moment = 0.0;    ///< [m⁴], > 0
  double mass_per_length = 0.0;  ///< [kg/m], > 0
  MassMatrixKind mass_matrix = MassMatrixKind::kLumped;
};

/// A straight beam along x as a frame: nodes n0 ... n<elements>, all x fixed, y and rz
/// free.
FrameModel beam_model(const BeamSettings& settings);

}  // namespace trestle::structure
