#pragma once

#include <Eigen/Core>

#include "numerical/structure/frame_model.h"

namespace trestle::structure {

/// Matrices of one member in global coordinates: x, y, rz at its start, then at its end.
struct BeamColumn {
  using Matrix = Eigen::Matrix<double, 6, 6>;

  Matrix stiffness;  ///< [N/m, N, N·m]
  Matrix mass;       ///< [kg, kg·m, kg·m²]
};

/// Prismatic Euler–Bernoulli member (Przemieniecki 1968, ch. 5 and 11): axial EA/L, bending
/// 12EI/L³, 6EI/L², 4EI/L, 2EI/L. The rotation of a hinged end belongs to the member
/// alone. If that has no mass, and no law acts on it, it is condensed out, which is exact,
/// and its row and column are zero; with consistent mass it stays, as own_rotations() says:
/// what moves by itself is no function of the ends' motion.
/// @param dx, dy  end minus start [m]; not both zero
BeamColumn beam_column(double dx, double dy, const FrameSection& section,
                       const FrameMember& member, MassMatrixKind mass_matrix);

/// The member's stiffness in local axes, without what its hinges release, and, if a hinge
/// has no separate equation, its end coordinates from those that are left.
struct LocalBeamColumn {
  BeamColumn::Matrix stiffness;
  BeamColumn::Matrix release;
  bool released = false;
};
LocalBeamColumn local_beam_column(double length, const FrameSection& section,
                                  const FrameMember& member, MassMatrixKind mass_matrix);

/// The rotations of its hinged ends have mass: they are equations of the member's own.
bool own_rotations(const FrameSection& section, MassMatrixKind mass_matrix) noexcept;

}  // namespace trestle::structure
