#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/types/interface_layout.h"
#include "numerical/materials/restoring_force.h"

namespace trestle {

using SparseMatrix = Eigen::SparseMatrix<double>;

/// A DOF by its name. Several names may share an equation (rigid floor).
struct NamedDof {
  std::string name;  ///< `<node>.<x|y|rz>`
  DofKind kind = DofKind::kTranslation;
  int equation = -1;  ///< row in the matrices; never fixed here
};

/// A spring whose force is not in the stiffness matrix. It acts on d[from] − d[to].
struct NonlinearSpring {
  int from = -1;  ///< equation
  int to = -1;    ///< equation; -1: the ground
  std::unique_ptr<RestoringForce> law;
};

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
  /// Force per unit of ground acceleration along x and along y, one row per DOF [kg]; size
  /// zero: by own_mass.
  Eigen::MatrixXd base_mass{};
  bool base_moves = false;  ///< its ground moves by itself: no such force is applied
  /// The laboratory's rates over the structure's, for the undivided specimen: 0 if it is at
  /// rest when it is read.
  double rate = 1.0;
  /// Stiffness of it that cannot yield: size zero: all of it.
  Eigen::MatrixXd elastic_stiffness{};
};

/// Returns the configuration path of DOF j, relative to the site.
inline std::string dof_path(const ExperimentalPart& part, std::size_t j) {
  const std::size_t controlled = part.dofs.size() - part.force_only;
  return j < controlled ? ".interface[" + std::to_string(j) + "]"
                        : ".force_only[" + std::to_string(j - controlled) + "]";
}

/// An assembled structure over its free equations: the numerical part, and beside it what
/// the experimental parts will add. Symmetric matrices, both triangles stored. SI.
struct StructuralModel {
  int equations = 0;
  std::vector<NamedDof> dofs;  ///< all free names, in the order of the model file

  SparseMatrix mass;       ///< numerical part
  SparseMatrix damping;    ///< numerical part, without the modal one
  SparseMatrix stiffness;  ///< numerical part, without the nonlinear springs
  ModalDampingFactors modal_damping;
  std::vector<NonlinearSpring> springs;

  SparseMatrix experimental_mass;  ///< same size; zero away from the interfaces
  SparseMatrix experimental_damping;
  SparseMatrix experimental_stiffness;
  /// The part of experimental_stiffness that may yield; size zero: none.
  SparseMatrix experimental_yielding;

  /// Load per unit of ground acceleration, −(M·ι + M_fs·ι_s): with consistent mass the
  /// coupling to the supports belongs to the load [kg].
  Eigen::VectorXd base_load_x;
  Eigen::VectorXd base_load_y;
  /// Displacement of every equation as the ground moves by one, where the model states it;
  /// size zero: 1 at the DOFs of the direction.
  Eigen::VectorXd influence{};

  /// Equation of a name, or -1.
  int equation(const std::string& name) const noexcept {
    for (const NamedDof& dof : dofs)
      if (dof.name == name) return dof.equation;
    return -1;
  }
};

}  // namespace trestle
