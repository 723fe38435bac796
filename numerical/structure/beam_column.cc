#include "numerical/structure/beam_column.h"

#include <Eigen/LU>
#include <cmath>

namespace trestle::structure {
namespace {

using Matrix = BeamColumn::Matrix;

Matrix clamped_stiffness(double L, const FrameSection& section) {
  const double axial = section.elastic_modulus * section.area / L;
  const double EI = section.elastic_modulus * section.second_moment;
  const double a = 12.0 * EI / (L * L * L);
  const double b = 6.0 * EI / (L * L);
  const double c = 4.0 * EI / L;
  const double d = 2.0 * EI / L;
  Matrix K;
  K << axial, 0, 0, -axial, 0, 0,  //
      0, a, b, 0, -a, b,           //
      0, b, c, 0, -b, d,           //
      -axial, 0, 0, axial, 0, 0,   //
      0, -a, -b, 0, a, -b,         //
      0, b, d, 0, -b, c;
  return K;
}

/// In closed form, so that what a hinge lets go is zero and not a rounding error, which
/// would look like a support to the search for mechanisms.
Matrix local_stiffness(double L, const FrameSection& section, const FrameMember& member) {
  if (!member.hinge_from && !member.hinge_to) return clamped_stiffness(L, section);
  const double axial = section.elastic_modulus * section.area / L;
  Matrix K = Matrix::Zero();
  K(0, 0) = K(3, 3) = axial;
  K(0, 3) = K(3, 0) = -axial;
  if (member.hinge_from && member.hinge_to) return K;
  const double c = 3.0 * section.elastic_modulus * section.second_moment / L;
  // The clamped end's moment is c times this row of the displacements.
  Eigen::Matrix<double, 1, 6> chord;
  chord << 0.0, 1.0 / L, 0.0, 0.0, -1.0 / L, 0.0;
  chord[member.hinge_from ? 5 : 2] = 1.0;
  return K + c * chord.transpose() * chord;
}

Matrix local_mass(double L, const FrameSection& section, MassMatrixKind kind) {
  const double m = section.mass_per_length * L;
  Matrix M = Matrix::Zero();
  if (kind == MassMatrixKind::kLumped) {
    M.diagonal() << 0.5 * m, 0.5 * m, 0.0, 0.5 * m, 0.5 * m, 0.0;
    return M;
  }
  const double L2 = L * L;
  M << 140, 0, 0, 70, 0, 0,                     //
      0, 156, 22 * L, 0, 54, -13 * L,           //
      0, 22 * L, 4 * L2, 0, 13 * L, -3 * L2,    //
      70, 0, 0, 140, 0, 0,                      //
      0, 54, 13 * L, 0, 156, -22 * L,           //
      0, -13 * L, -3 * L2, 0, -22 * L, 4 * L2;  //
  return m / 420.0 * M;
}

/// All six coordinates from those that are left when the hinged rotations follow freely.
Matrix released(const Matrix& K, bool start, bool end) {
  Matrix T = Matrix::Identity();
  if (start && end) {
    const Eigen::Vector2i turn(2, 5);
    T(turn, Eigen::all) = -K(turn, turn).inverse() * K(turn, Eigen::all);
  } else if (start || end) {
    const int turn = start ? 2 : 5;
    T.row(turn) = -K.row(turn) / K(turn, turn);
  }
  if (start) T.col(2).setZero();
  if (end) T.col(5).setZero();
  return T;
}

/// The hinges that have no equation of their own.
FrameMember felt_hinges(const FrameSection& section, const FrameMember& member,
                        MassMatrixKind mass_matrix) {
  FrameMember felt = member;
  const bool massive = own_rotations(section, mass_matrix);
  if (massive || member.released[0][2]) felt.hinge_from = false;
  if (massive || member.released[1][2]) felt.hinge_to = false;
  return felt;
}

}  // namespace

LocalBeamColumn local_beam_column(double length, const FrameSection& section,
                                  const FrameMember& member, MassMatrixKind mass_matrix) {
  const FrameMember felt = felt_hinges(section, member, mass_matrix);
  return {.stiffness = local_stiffness(length, section, felt),
          .release =
              released(clamped_stiffness(length, section), felt.hinge_from, felt.hinge_to),
          .released = felt.hinge_from || felt.hinge_to};
}

BeamColumn beam_column(double dx, double dy, const FrameSection& section,
                       const FrameMember& member, MassMatrixKind mass_matrix) {
  const double L = std::hypot(dx, dy);
  const double c = dx / L;
  const double s = dy / L;
  Matrix R = Matrix::Identity();  // local from global
  R.block<2, 2>(0, 0) << c, s, -s, c;
  R.block<2, 2>(3, 3) = R.block<2, 2>(0, 0);
  const FrameMember felt = felt_hinges(section, member, mass_matrix);
  const Matrix T =
      released(clamped_stiffness(L, section), felt.hinge_from, felt.hinge_to) * R;
  return {.stiffness = R.transpose() * local_stiffness(L, section, felt) * R,
          .mass = T.transpose() * local_mass(L, section, mass_matrix) * T};
}

bool own_rotations(const FrameSection& section, MassMatrixKind mass_matrix) noexcept {
  return mass_matrix == MassMatrixKind::kConsistent && section.mass_per_length > 0.0;
}

}  // namespace trestle::structure
