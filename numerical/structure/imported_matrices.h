#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "numerical/structure/structural_model.h"

namespace trestle::structure {

/// A physical part that given matrices contain.
struct RemovedPart {
  std::vector<int> rows;  ///< of the whole matrices; where its own rows and columns belong
  Eigen::MatrixXd mass;   ///< symmetric, one row per entry of `rows`; size zero: none
  Eigen::MatrixXd stiffness;
  Eigen::MatrixXd damping;
};

/// Matrices from another FE program: symmetric, SI, one row and column per free DOF.
struct ImportedMatrices {
  std::vector<std::string> dofs;  ///< `<node>.<x|y|rz>`, in the order of the rows
  SparseMatrix mass;
  SparseMatrix stiffness;
  SparseMatrix damping;           ///< size zero: none
  std::vector<double> influence;  ///< of either base motion; empty: 1 at `.x`, or at `.y`
  std::vector<RemovedPart> without;
};

/// The whole, with everything that remove_parts() removes.
/// @pre matrices and influence have one row per DOF
StructuralModel build_imported_model(const ImportedMatrices& given);

/// Subtracts the physical parts from mass, stiffness and damping, and their mass from the
/// load of base motion. Call it after the damping, which is that of the whole structure.
void remove_parts(StructuralModel& structure, const ImportedMatrices& given);

}  // namespace trestle::structure
