#pragma once

#include <Eigen/Core>
#include <array>
#include <string>
#include <vector>

#include "numerical/structure/dof_terms.h"
#include "numerical/structure/frame_model.h"
#include "numerical/structure/structural_model.h"

namespace trestle::structure {

class ConstraintRules;

/// Gives equations to the DOFs of a frame's nodes and writes every DOF as a linear
/// combination of them: u = R·q, exact.
///
/// Equations follow the nodes in the order of the model; rotations that belong to a member
/// alone come last. A support takes a DOF out. Floors, ties, diaphragms and rigid links
/// make a DOF a slave of others; chains are followed.
/// @pre ConstraintRules(model) has no problems
class FrameNumbering {
 public:
  explicit FrameNumbering(const FrameModel& model);

  int equations() const noexcept { return equations_; }
  /// Every free name, in the order of the model: DOFs that are an equation, under their own
  /// name or as a tie.
  const std::vector<NamedDof>& dofs() const noexcept { return dofs_; }
  /// The DOFs that follow others by more than an equal sign.
  const std::vector<SlaveDof>& slaves() const noexcept { return slaves_; }

  /// Equation of a rotation of a member's own (rotation 0, 1, 2: local rx, ry, rz), or -1.
  int own(std::size_t member, int end, int rotation) const {
    return own_[member][static_cast<std::size_t>(end)][static_cast<std::size_t>(rotation)];
  }
  /// A DOF of a node as a combination of equations.
  const DofTerms& terms(int node, NodeDof dof) const {
    return terms_[static_cast<std::size_t>(node)][static_cast<std::size_t>(dof)];
  }
  /// What a DOF of a node follows of the DOFs that supports hold, by their rows.
  const DofTerms& held(int node, NodeDof dof) const {
    return held_terms_[static_cast<std::size_t>(node)][static_cast<std::size_t>(dof)];
  }
  /// Any DOF of a node follows one that a support holds.
  bool holds(int node) const {
    for (const DofTerms& terms : held_terms_[static_cast<std::size_t>(node)])
      if (!terms.empty()) return true;
    return false;
  }
  /// The DOFs that supports hold, in the order of the model.
  const std::vector<HeldDof>& held_dofs() const noexcept { return held_dofs_; }

  /// Displacement of every equation as the ground moves by one, one column per direction.
  const Eigen::MatrixXd& rigid_motion() const noexcept { return rigid_motion_; }

 private:
  void number(const FrameModel& model);
  void number_held(const FrameModel& model, const ConstraintRules& rules);
  void number_own(const FrameModel& model);
  void add_own(const FrameModel& model, std::size_t member, int end, int rotation,
               const char* name);

  int equations_ = 0;
  std::vector<NamedDof> dofs_;
  std::vector<SlaveDof> slaves_;
  std::vector<std::array<DofTerms, kNodeDofs>> terms_;
  std::vector<HeldDof> held_dofs_;
  std::vector<std::array<DofTerms, kNodeDofs>> held_terms_;
  std::vector<std::array<std::array<int, 3>, 2>> own_;
  std::vector<Eigen::RowVectorXd> rigid_rows_;
  Eigen::MatrixXd rigid_motion_;
};

/// Displacement of one point's x, y, z, rx, ry, rz (rows) per unit of each direction of the
/// ground (columns).
Eigen::Matrix<double, 6, kGroundDirections> rigid_body_motion(const Eigen::Vector3d& at);

/// Row of a node's DOF in rigid_body_motion().
inline Eigen::Index rigid_row(NodeDof dof) noexcept {
  constexpr std::array<Eigen::Index, kNodeDofs> kRows{0, 1, 5, 2, 3, 4};
  return kRows[static_cast<std::size_t>(dof)];
}

/// Local axes of a member as rows of a matrix.
/// @pre the member has a length, and its z vector is not along it
Eigen::Matrix3d local_axes(const FrameModel& model, const FrameMember& member);

/// Where a member begins and ends, offsets included.
std::array<Eigen::Vector3d, 2> member_ends(const FrameModel& model,
                                           const FrameMember& member);

}  // namespace trestle::structure
