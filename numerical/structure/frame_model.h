#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "numerical/materials/restoring_force.h"

namespace trestle {

/// A planar frame as an engineer describes it: nodes joined by members. Global axes x to
/// the right, y up, rz counter-clockwise. All references are places in the vectors below.
/// SI.

/// The three DOFs of a node, in the order of every array of three.
enum class NodeDof { kX = 0, kY = 1, kRz = 2 };

inline constexpr std::array<const char*, 3> kNodeDofNames{"x", "y", "rz"};

enum class MassMatrixKind {
  kLumped,      ///< half a member's mass at each end, no rotational inertia
  kConsistent,  ///< from the shape functions of the stiffness
};

struct FrameNode {
  std::string name;
  double x = 0.0;  ///< [m]
  double y = 0.0;  ///< [m]
  std::array<bool, 3> fixed{};
  /// The rotation is an equation even where every member is hinged: something outside the
  /// frame holds on to it.
  bool has_rotational_dof = false;
};

struct FrameSection {
  double elastic_modulus = 0.0;  ///< [Pa], > 0
  double area = 0.0;             ///< [m²], > 0
  double second_moment = 0.0;    ///< [m⁴], > 0
  double mass_per_length = 0.0;  ///< [kg/m], >= 0
};

struct FrameMember {
  int from = 0;
  int to = 0;
  int section = 0;
  bool hinge_from = false;  ///< passes no moment there
  bool hinge_to = false;
  std::string name = {};  ///< of the equations that are its own
};

struct FrameFloor {
  std::vector<int> nodes;
  double mass = 0.0;                ///< the floor's, shared equally, in x and y [kg]
  double rotational_inertia = 0.0;  ///< of each node [kg·m²]
  bool rigid = false;               ///< its nodes share one x
};

struct FrameMass {
  int node = 0;
  double mass = 0.0;                ///< in x and y [kg]
  double rotational_inertia = 0.0;  ///< [kg·m²]
};

/// Acts on the DOF of `node` minus that of `to`.
struct FrameSpring {
  int node = 0;
  int to = -1;  ///< -1: the ground
  NodeDof dof = NodeDof::kX;
  double stiffness = 0.0;               ///< of a linear spring [N/m | N·m/rad]
  std::unique_ptr<RestoringForce> law;  ///< of a nonlinear one, in place of the stiffness
  double damping = 0.0;                 ///< [N·s/m | N·m·s/rad]
};

struct FrameModel {
  std::vector<FrameNode> nodes;
  std::vector<FrameSection> sections;
  std::vector<FrameMember> members;
  std::vector<FrameFloor> floors;
  std::vector<FrameMass> masses;
  std::vector<FrameSpring> springs;
  MassMatrixKind mass_matrix = MassMatrixKind::kLumped;
};

}  // namespace trestle
