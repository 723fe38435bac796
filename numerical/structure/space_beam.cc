#include "numerical/structure/space_beam.h"

#include <array>

namespace trestle::structure {
namespace {

using EndMatrix = SpaceBeam::Matrix;

/// Places of deflection and slope at both ends in one plane, with the sign of the slope.
struct Plane {
  std::array<int, 4> at;
  double slope;
};

constexpr Plane kXy{{1, 5, 7, 11}, 1.0};
constexpr Plane kXz{{2, 4, 8, 10}, -1.0};

/// Adds a matrix of deflection, slope, deflection, slope in one plane.
void add_plane(const Plane& plane, const Eigen::Matrix4d& matrix, EndMatrix& into) {
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      const double sign =
          (i % 2 == 1 ? plane.slope : 1.0) * (j % 2 == 1 ? plane.slope : 1.0);
      into(plane.at[static_cast<std::size_t>(i)], plane.at[static_cast<std::size_t>(j)]) +=
          sign * matrix(i, j);
    }
}

void add_pair(int one, int other, double own, double cross, EndMatrix& into) {
  into(one, one) += own;
  into(other, other) += own;
  into(one, other) += cross;
  into(other, one) += cross;
}

Eigen::Matrix4d bending(double EI, double L) {
  Eigen::Matrix4d K;
  K << 12.0, 6.0 * L, -12.0, 6.0 * L,               //
      6.0 * L, 4.0 * L * L, -6.0 * L, 2.0 * L * L,  //
      -12.0, -6.0 * L, 12.0, -6.0 * L,              //
      6.0 * L, 2.0 * L * L, -6.0 * L, 4.0 * L * L;
  return EI / (L * L * L) * K;
}

Eigen::Matrix4d cubic_mass(double m, double L) {
  Eigen::Matrix4d M;
  M << 156.0, 22.0 * L, 54.0, -13.0 * L,              //
      22.0 * L, 4.0 * L * L, 13.0 * L, -3.0 * L * L,  //
      54.0, 13.0 * L, 156.0, -22.0 * L,               //
      -13.0 * L, -3.0 * L * L, -22.0 * L, 4.0 * L * L;
  return m / 420.0 * M;
}

}  // namespace

SpaceBeam space_beam(double length, const FrameSection& section,
                     MassMatrixKind mass_matrix) {
  SpaceBeam beam{.stiffness = EndMatrix::Zero(), .mass = EndMatrix::Zero()};
  const double axial = section.elastic_modulus * section.area / length;
  const double torsion = section.shear_modulus * section.torsion_constant / length;
  add_pair(0, 6, axial, -axial, beam.stiffness);
  add_pair(3, 9, torsion, -torsion, beam.stiffness);
  add_plane(kXy, bending(section.elastic_modulus * section.second_moment, length),
            beam.stiffness);
  add_plane(kXz, bending(section.elastic_modulus * section.second_moment_y, length),
            beam.stiffness);
  const double m = section.mass_per_length * length;
  if (m == 0.0) return beam;
  if (mass_matrix == MassMatrixKind::kLumped) {
    for (const int i : {0, 1, 2, 6, 7, 8}) beam.mass(i, i) = 0.5 * m;
    return beam;
  }
  add_pair(0, 6, m / 3.0, m / 6.0, beam.mass);
  const double turning = m * section.polar_moment / section.area;
  add_pair(3, 9, turning / 3.0, turning / 6.0, beam.mass);
  add_plane(kXy, cubic_mass(m, length), beam.mass);
  add_plane(kXz, cubic_mass(m, length), beam.mass);
  return beam;
}

}  // namespace trestle::structure
