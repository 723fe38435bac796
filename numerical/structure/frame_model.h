#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "numerical/materials/restoring_force.h"
#include "numerical/structure/fibre_section.h"

namespace trestle::structure {

/// A frame as an engineer describes it: nodes joined by members. Planar: global axes x to
/// the right, y up, rz counter-clockwise. Spatial: z up, right-handed. All references are
/// places in the vectors below. SI.

/// The DOFs of a node, in the order of every array of them: those of a planar frame first.
enum class NodeDof { kX = 0, kY = 1, kRz = 2, kZ = 3, kRx = 4, kRy = 5 };

inline constexpr std::size_t kNodeDofs = 6;
inline constexpr std::array<const char*, kNodeDofs> kNodeDofNames{"x", "y",  "rz",
                                                                  "z", "rx", "ry"};
/// In the order in which equations are numbered.
inline constexpr std::array<NodeDof, 3> kPlanarDofs{NodeDof::kX, NodeDof::kY, NodeDof::kRz};
inline constexpr std::array<NodeDof, kNodeDofs> kSpatialDofs{
    NodeDof::kX, NodeDof::kY, NodeDof::kZ, NodeDof::kRx, NodeDof::kRy, NodeDof::kRz};

inline constexpr bool is_rotation(NodeDof dof) noexcept {
  return dof == NodeDof::kRx || dof == NodeDof::kRy || dof == NodeDof::kRz;
}

enum class MassMatrixKind {
  kLumped,      ///< half a member's mass at each end, no rotational inertia
  kConsistent,  ///< from the shape functions of the stiffness
};

/// A reference as an index of a vector.
inline constexpr std::size_t place(int reference) noexcept {
  return static_cast<std::size_t>(reference);
}

struct FrameNode {
  std::string name;
  double x = 0.0;  ///< [m]
  double y = 0.0;  ///< [m]
  std::array<bool, kNodeDofs> fixed{};
  /// The rotations are equations even if every member is hinged there: something outside
  /// the frame holds on to them.
  bool has_rotational_dof = false;
  double z = 0.0;          ///< [m]; spatial frames only
  bool diaphragm = false;  ///< the centre of one: only x, y and rz exist
};

struct FrameSection {
  double elastic_modulus = 0.0;  ///< [Pa], > 0
  double area = 0.0;             ///< [m²], > 0
  double second_moment = 0.0;    ///< about local z [m⁴], > 0
  double mass_per_length = 0.0;  ///< [kg/m], >= 0
  // Of spatial frames:
  double second_moment_y = 0.0;   ///< about local y [m⁴], > 0
  double torsion_constant = 0.0;  ///< J [m⁴], > 0
  double shear_modulus = 0.0;     ///< G [Pa], > 0
  double polar_moment = 0.0;      ///< of the torsional inertia m·I_p/A [m⁴], >= 0
  /// What it is made of; modulus, area and second moments are those at rest then. Null:
  /// elastic.
  std::shared_ptr<const FibreSection> fibres{};
};

struct FrameMember {
  int from = 0;
  int to = 0;
  int section = 0;
  bool hinge_from = false;  ///< passes no moment there
  bool hinge_to = false;
  std::string name = {};  ///< of the equations that are its own
  int part = 0;           ///< of a member cut into several, from its start
  /// Spatial: a vector in the local x–z plane, not along the member.
  Eigen::Vector3d z = Eigen::Vector3d::UnitZ();
  double roll = 0.0;  ///< turn of the local axes about the member [rad]
  /// Spatial: local rx, ry, rz that the start, the end passes no moment in.
  std::array<std::array<bool, 3>, 2> released{};
  /// From the node to the start, to the end of the member, in global axes [m].
  std::array<Eigen::Vector3d, 2> offsets{Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()};
  int points = 3;       ///< sections along a member of fibres, 2 to 5
  bool linear = false;  ///< it does not follow the geometry of the frame: small motions
};

/// The slaves move with the master as one rigid body.
struct RigidLink {
  int master = 0;
  std::vector<int> slaves;
};

/// The law between the rotation of a node and that of a member's end there, which is its
/// own: it acts on node minus member.
struct MemberHinge {
  int member = 0;
  int end = 0;       ///< 0: start, 1: end
  int rotation = 2;  ///< local rx, ry, rz: 0, 1, 2; in a planar frame 2
  std::unique_ptr<materials::RestoringForce> law;
};

/// DOFs of nodes that are equal to those of the first.
struct DofTie {
  std::vector<int> nodes;
  std::vector<NodeDof> dofs;
};

/// A floor that is rigid in its plane. The centre is a separate node.
struct Diaphragm {
  int centre = 0;
  std::vector<int> nodes;
  double mass = 0.0;                ///< in x and y, at the centre [kg]
  double rotational_inertia = 0.0;  ///< about z, at the centre [kg·m²]
};

struct FrameFloor {
  std::vector<int> nodes;
  double mass = 0.0;                ///< the floor's, shared equally, in x and y [kg]
  double rotational_inertia = 0.0;  ///< of each node [kg·m²]
  bool rigid = false;               ///< its nodes share one x
};

struct FrameMass {
  int node = 0;
  double mass = 0.0;                ///< in every translation [kg]
  double rotational_inertia = 0.0;  ///< [kg·m²]
};

/// Acts on the DOF of `node` minus that of `to`.
struct FrameSpring {
  int node = 0;
  int to = -1;  ///< -1: the ground
  NodeDof dof = NodeDof::kX;
  double stiffness = 0.0;  ///< of a linear spring [N/m | N·m/rad]
  std::unique_ptr<materials::RestoringForce>
      law;               ///< of a nonlinear one, in place of the stiffness
  double damping = 0.0;  ///< [N·s/m | N·m·s/rad]
};

/// Laws between two nodes. A deformation is the motion of `to` less that of `from`.
struct FrameLink {
  std::string name;
  int from = 0;
  int to = 0;
  std::vector<NodeDof> dofs{};  ///< along each of these; empty: along the line between them
  /// One for each direction; none: `stiffness` and `damping`. If `paired`, the two share
  /// their memory.
  std::vector<std::unique_ptr<materials::RestoringForce>> laws{};
  double stiffness = 0.0;  ///< of a linear law [N/m | N·m/rad]
  double damping = 0.0;    ///< of a linear damper [N·s/m | N·m·s/rad]
  bool paired = false;
};

struct FrameModel {
  std::vector<FrameNode> nodes;
  std::vector<FrameSection> sections;
  std::vector<FrameMember> members;
  std::vector<FrameFloor> floors;
  std::vector<FrameMass> masses;
  std::vector<FrameSpring> springs;
  std::vector<RigidLink> rigid_links{};
  std::vector<DofTie> ties{};
  std::vector<Diaphragm> diaphragms{};
  std::vector<MemberHinge> hinges{};
  std::vector<FrameLink> links{};
  bool spatial = false;
  bool corotational = false;  ///< members that are not `linear` follow their chords exactly
  MassMatrixKind mass_matrix = MassMatrixKind::kLumped;
};

}  // namespace trestle::structure
