#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <string>
#include <vector>

#include "core/types/interface_layout.h"

namespace trestle::structure {

/// A DOF that supports hold.
struct HeldDof {
  /// `<node>.<x|y|z|rx|ry|rz>`; `ground.<dof>` of springs to the ground, at each of their
  /// nodes.
  std::string name;
  DofKind kind = DofKind::kTranslation;
  Eigen::Vector3d at = Eigen::Vector3d::Zero();  ///< where its node is [m]
};

/// The DOFs of a frame that supports hold, and their rows of the structure's matrices: the
/// reaction is K_sf·d + C_sf·v + M_sf·a and the same of the supports' own motion, less the
/// loads on them. Rows: held DOFs. Columns: equations, or held DOFs in the matrices whose
/// names begin with `own`. Empty: no frame.
struct HeldDofs {
  using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;

  std::vector<HeldDof> dofs;
  Matrix stiffness;  ///< numerical part, without the nonlinear springs
  Matrix own_stiffness;
  /// The parts of both by which constant axial forces bend members; size zero: none.
  Matrix geometric_stiffness;
  Matrix own_geometric_stiffness;
  Matrix damping;
  Matrix own_damping;
  Matrix mass;
  Matrix own_mass;
  /// Such rows of specimens that stand on a support; they are in no reaction. Size zero:
  /// none.
  Matrix site_stiffness;
  Matrix site_elastic_stiffness;  ///< of what cannot yield
  Matrix site_damping;            ///< that the integrator owns
  Matrix site_mass;               ///< without what a base that moves by itself answers for
  Matrix site_coupled_mass;       ///< all of it, by which mass damps
  /// Load per unit of ground acceleration, −(M_sf·ι + M_ss·ι_s), one column per direction.
  Eigen::MatrixXd base_load;
  Eigen::MatrixXd member_base_load;  ///< the part of it that members contribute
  Eigen::MatrixXd influence;         ///< ι_s

  Eigen::Index size() const noexcept { return static_cast<Eigen::Index>(dofs.size()); }
  /// Rows of a name: one of a support, several of the ground of springs; empty: none.
  std::vector<int> rows(const std::string& name) const {
    std::vector<int> found;
    for (std::size_t i = 0; i < dofs.size(); ++i)
      if (dofs[i].name == name) found.push_back(static_cast<int>(i));
    return found;
  }
};

}  // namespace trestle::structure
