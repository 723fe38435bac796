#include "numerical/structure/geometric_stiffness.h"

#include <array>
#include <cstddef>

namespace trestle::structure {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// Sideways and turning coordinates of the two ends in one plane of bending, and the sign
/// of the turns: about y, a positive turn lowers the far end.
struct BendingPlane {
  std::array<Index, 4> coordinates;
  double turn;
};

/// For a tension of 1 N.
Eigen::Matrix4d in_plane(double L, double turn, SecondOrderForm form) {
  Eigen::Matrix4d K = Eigen::Matrix4d::Zero();
  if (form == SecondOrderForm::kChord) {
    K(0, 0) = K(2, 2) = 1.0 / L;
    K(0, 2) = K(2, 0) = -1.0 / L;
    return K;
  }
  const double a = 3.0 * L * turn;
  const double b = 4.0 * L * L;
  const double c = -L * L;
  K << 36, a, -36, a,   //
      a, b, -a, c,      //
      -36, -a, 36, -a,  //
      a, c, -a, b;
  return K / (30.0 * L);
}

MatrixXd in_local_axes(const AssembledMember& member, SecondOrderForm form) {
  const Index size = member.stiffness.rows();
  MatrixXd K = MatrixXd::Zero(size, size);
  const auto add = [&](const BendingPlane& plane) {
    const Eigen::Matrix4d part = in_plane(member.length, plane.turn, form);
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j)
        K(plane.coordinates[i], plane.coordinates[j]) +=
            part(static_cast<Index>(i), static_cast<Index>(j));
  };
  if (member.dofs_per_end() == 3) {
    add({{1, 2, 4, 5}, 1.0});
  } else {
    add({{1, 5, 7, 11}, 1.0});
    add({{2, 4, 8, 10}, -1.0});
  }
  return K;
}

}  // namespace

std::vector<double> axial_forces(const StructuralModel& structure,
                                 const Eigen::VectorXd& displacement,
                                 const std::vector<Eigen::VectorXd>& end_forces) {
  std::vector<double> axial;
  for (std::size_t i = 0; i < structure.members.size(); ++i) {
    const AssembledMember& member = structure.members[i];
    Eigen::VectorXd moved(static_cast<Index>(member.equations.size()));
    for (std::size_t j = 0; j < member.equations.size(); ++j)
      moved[static_cast<Index>(j)] = displacement[member.equations[j]];
    Eigen::VectorXd force = member.stiffness * (member.ends * moved);
    if (i < end_forces.size() && end_forces[i].size() > 0) force -= end_forces[i];
    axial.push_back(0.5 * (force[member.dofs_per_end()] - force[0]));
  }
  return axial;
}

void add_geometric_stiffness(StructuralModel& structure, const std::vector<double>& axial,
                             SecondOrderForm form) {
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<Eigen::Triplet<double>> held;
  std::vector<Eigen::Triplet<double>> own;
  const auto put = [](std::vector<Eigen::Triplet<double>>& to, const std::vector<int>& rows,
                      const std::vector<int>& columns, const MatrixXd& values) {
    for (std::size_t row = 0; row < rows.size(); ++row)
      for (std::size_t column = 0; column < columns.size(); ++column)
        to.emplace_back(rows[row], columns[column],
                        values(static_cast<Index>(row), static_cast<Index>(column)));
  };
  for (std::size_t i = 0; i < structure.members.size(); ++i) {
    AssembledMember& member = structure.members[i];
    if (axial[i] == 0.0 || member.linear) continue;
    const MatrixXd local = axial[i] * in_local_axes(member, form);
    const MatrixXd global = member.ends.transpose() * local * member.ends;
    for (std::size_t row = 0; row < member.equations.size(); ++row)
      for (std::size_t column = 0; column < member.equations.size(); ++column) {
        const auto r = static_cast<Index>(row);
        const auto c = static_cast<Index>(column);
        // Symmetric to the last bit.
        const double k = 0.5 * (global(r, c) + global(c, r));
        if (k != 0.0)
          entries.emplace_back(member.equations[row], member.equations[column], k);
      }
    member.stiffness += local;
    if (member.held.empty()) continue;
    const MatrixXd rows = member.held_ends.transpose() * local;
    put(held, member.held, member.equations, rows * member.ends);
    put(own, member.held, member.held, rows * member.held_ends);
  }
  structure.geometric_stiffness.resize(structure.equations, structure.equations);
  structure.geometric_stiffness.setFromTriplets(entries.begin(), entries.end());
  structure.stiffness += structure.geometric_stiffness;
  HeldDofs& supports = structure.held;
  if (supports.dofs.empty()) return;
  supports.geometric_stiffness.resize(supports.size(), structure.equations);
  supports.geometric_stiffness.setFromTriplets(held.begin(), held.end());
  supports.stiffness += supports.geometric_stiffness;
  supports.own_geometric_stiffness.resize(supports.size(), supports.size());
  supports.own_geometric_stiffness.setFromTriplets(own.begin(), own.end());
  supports.own_stiffness += supports.own_geometric_stiffness;
}

}  // namespace trestle::structure
