#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/types/interface_layout.h"
#include "numerical/materials/restoring_force.h"
#include "numerical/structure/assembled_member.h"
#include "numerical/structure/dof_terms.h"
#include "numerical/structure/held_dofs.h"

namespace trestle::structure {

using SparseMatrix = Eigen::SparseMatrix<double>;

/// A DOF by its name. Several names may share an equation (rigid floor).
struct NamedDof {
  std::string name;  ///< `<node>.<x|y|z|rx|ry|rz>`
  DofKind kind = DofKind::kTranslation;
  int equation = -1;  ///< row in the matrices; never fixed here
};

/// A DOF that follows others: it has no equation, but loads may act on it.
struct SlaveDof {
  std::string name;    ///< `<node>.<dof>`
  std::string master;  ///< the first DOF that it follows
  DofTerms terms;
  DofTerms held{};  ///< the rows of held DOFs that it follows besides
};

/// A spring whose force is not in the stiffness matrix.
struct NonlinearSpring {
  DofTerms elongation;  ///< what its law acts on: d[from] − d[to] as a rule
  std::unique_ptr<materials::RestoringForce> law;
  std::string member{};  ///< that it is a hinge of; empty: it is none
  std::string end{};     ///< of this member: `from`, in space `from.ry`
  DofTerms held{};       ///< rows of held DOFs that its deformation has besides
  int partner = -1;      ///< the other direction of its law; -1: none
  std::string link{};    ///< that it is a direction of: `<name>.<dof>`; empty: of none
};

/// One direction of a link, whose force is in the matrices or that of a nonlinear spring.
struct LinkDirection {
  std::string link;
  std::string direction;  ///< a DOF, or `along`
  DofKind kind = DofKind::kTranslation;
  DofTerms deformation;
  DofTerms held{};  ///< rows of held DOFs that its deformation has besides
  int spring = -1;  ///< place among the springs; -1: linear
  double stiffness = 0.0;
  double damping = 0.0;
};

/// Directions of the ground's motion, as columns of matrices: x, y, z, and turns about
/// these axes through the origin.
inline constexpr int kGroundDirections = 6;
inline constexpr int kGroundX = 0;
inline constexpr int kGroundY = 1;
inline constexpr int kGroundZ = 2;
inline constexpr int kGroundRz = 5;

/// Damping mode by mode: C = W · diag(2 ζ ω) · Wᵀ, W = M·Φ with mass-normalised modes Φ.
/// Kept as its factors, since the product is full. Empty: none.
struct ModalDampingFactors {
  Eigen::MatrixXd weighted_modes;  ///< W, one column per damped mode
  Eigen::VectorXd coefficient;     ///< 2 ζ ω [1/s]
};

/// The data of a physical part that the model needs in advance.
struct ExperimentalPart {
  std::string site;
  std::vector<std::string> dofs;  ///< interface DOFs by name, controlled ones first
  Eigen::MatrixXd stiffness;      ///< initial [N/m, ...]; zero if unknown
  Eigen::MatrixXd damping;        ///< that the answers contain
  Eigen::MatrixXd mass;           ///< that the answers contain
  std::size_t force_only = 0;     ///< number of the last `dofs` without a target
  /// Mass whose inertia the integrator owns, the ground's included, and the answers leave
  /// out; damping that they miss. Size zero: none.
  Eigen::MatrixXd own_mass{};
  Eigen::MatrixXd own_damping{};
  /// Force per unit of ground acceleration along x, y and z, one row per DOF [kg]; size
  /// zero: by own_mass.
  Eigen::MatrixXd base_mass{};
  bool base_moves = false;       ///< its ground moves by itself: no such force is applied
  bool gravity_applied = false;  ///< step 0 brings it to the state under gravity
  /// The laboratory's rates over the structure's, as the undivided specimen feels them: 0
  /// where it rests when it is read.
  double rate = 1.0;
  /// Stiffness of it that cannot yield: size zero: all of it.
  Eigen::MatrixXd elastic_stiffness{};
  /// The held node that it stands on where supports move each by itself; empty: the ground.
  std::string support{};
};

/// Returns the configuration path of DOF j, relative to the site.
inline std::string dof_path(const ExperimentalPart& part, std::size_t j) {
  const std::size_t controlled = part.dofs.size() - part.force_only;
  return j < controlled ? ".interface[" + std::to_string(j) + "]"
                        : ".force_only[" + std::to_string(j - controlled) + "]";
}

/// Where the axial forces of gravity buckle a structure, specimens included.
struct BucklingMode {
  double factor = 0.0;  ///< of these forces; infinite: none presses; zero: not looked for
  std::string dof{};    ///< that moves most then
};

/// What is known of a structure beside its equations.
struct FrameDetails {
  std::vector<SlaveDof> slaves{};
  std::vector<LinkDirection> links{};
  /// Rayleigh's b [s], if it multiplies the tangent of what yields, committed with the last
  /// step: `damping` has the stiffness at rest. None: `damping` is all.
  std::optional<double> tangent_factor{};
};

/// An assembled structure over its free equations: the numerical part, and beside it what
/// the experimental parts will add. Symmetric matrices, both triangles stored. SI.
struct StructuralModel {
  int equations = 0;
  std::vector<NamedDof> dofs;  ///< all free names, in the order of the model file

  SparseMatrix mass;       ///< numerical part
  SparseMatrix damping;    ///< numerical part, without the modal one
  SparseMatrix stiffness;  ///< numerical part, without the nonlinear springs
  /// The part of `stiffness` by which constant axial forces bend members; size zero: none.
  SparseMatrix geometric_stiffness;
  BucklingMode buckling{};  ///< of geometric_stiffness
  ModalDampingFactors modal_damping;
  std::vector<NonlinearSpring> springs;

  SparseMatrix experimental_mass;  ///< same size; zero away from the interfaces
  SparseMatrix experimental_damping;
  SparseMatrix experimental_stiffness;
  /// The part of experimental_stiffness that may yield; size zero: none.
  SparseMatrix experimental_yielding;

  /// Load per unit of ground acceleration, −(M·ι + M_fs·ι_s): with consistent mass the
  /// coupling to the supports belongs to the load [kg | kg·m].
  /// One column per direction of the ground.
  Eigen::MatrixXd base_load;
  /// The part of base_load that members contribute; size zero: none.
  Eigen::MatrixXd member_base_load{};
  /// Displacement of every equation as the ground moves by one, one column per direction,
  /// if the model states it; size zero: 1 at the translations of the direction.
  Eigen::MatrixXd influence{};
  /// The members of a frame, in the order of the model; empty: none, or no frame.
  std::vector<AssembledMember> members{};
  FrameDetails details{};
  HeldDofs held{};
  bool spatial = false;  ///< z is up, not y

  /// Direction of the ground that is up.
  int up() const noexcept { return spatial ? kGroundZ : kGroundY; }

  /// Equation of a name, or -1.
  int equation(const std::string& name) const noexcept {
    for (const NamedDof& dof : dofs)
      if (dof.name == name) return dof.equation;
    return -1;
  }
};

}  // namespace trestle::structure
