#pragma once

#include <Eigen/Core>

#include "numerical/structure/frame_model.h"

namespace trestle::structure {

/// Matrices of a spatial member in its local axes: x, y, z, rx, ry, rz at its start, then
/// at its end.
struct SpaceBeam {
  using Matrix = Eigen::Matrix<double, 12, 12>;

  Matrix stiffness;  ///< [N/m, N, N·m]
  Matrix mass;       ///< [kg, kg·m, kg·m²]
};

/// Prismatic Euler–Bernoulli member (Przemieniecki 1968, ch. 5 and 11): axial EA/L, torsion
/// GJ/L, bending in the local x–y plane with I_z and in the x–z plane with I_y, where
/// ry = −dw/dx. Consistent mass: cubic across, linear along, torsional inertia m·I_p/A.
/// Lumped mass: half of the mass at each end in the translations.
SpaceBeam space_beam(double length, const FrameSection& section,
                     MassMatrixKind mass_matrix);

}  // namespace trestle::structure
