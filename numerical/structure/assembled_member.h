#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "numerical/structure/member_law.h"

namespace trestle::structure {

/// A member of a frame with its place in the equations: what member loads and member forces
/// are computed with. Local axes: x from start to end. End coordinates are those of the
/// start, then those of the end: x, y, rz in a planar frame, x, y, z, rx, ry, rz in a
/// spatial one.
struct AssembledMember {
  std::string name;
  int part = 0;         ///< of a member cut into several, from its start; 0 begins a member
  double length = 0.0;  ///< [m]
  double mass_per_length = 0.0;                        ///< [kg/m]
  bool linear = false;                                 ///< its axial force does not bend it
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  ///< rows: local axes in global ones
  std::vector<int> equations;                          ///< that its ends move with
  Eigen::MatrixXd ends;       ///< end coordinates in local axes from these equations
  std::vector<int> held{};    ///< rows of held DOFs that its ends move with
  Eigen::MatrixXd held_ends;  ///< end coordinates in local axes from these
  Eigen::MatrixXd stiffness;  ///< of the end coordinates, without what a hinge releases
  /// End coordinates from those that are left when a hinged rotation without an equation of
  /// its own follows freely; size zero: no such hinge.
  Eigen::MatrixXd release;
  /// What its force is beside `stiffness`; null: nothing. Shared with what finds the motion
  /// and with what records it.
  std::shared_ptr<MemberLaw> law{};

  /// 3 in a planar frame, 6 in a spatial one.
  Eigen::Index dofs_per_end() const noexcept { return stiffness.rows() / 2; }
};

}  // namespace trestle::structure
