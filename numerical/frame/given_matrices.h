#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "core/mechanics/structure.h"

namespace trestle {

/// What another FE program computed: symmetric, SI, one row and column per free DOF.
struct GivenMatrices {
  std::vector<std::string> dofs;  ///< `<node>.<x|y|rz>`, in the order of the rows
  SparseMatrix mass;
  SparseMatrix stiffness;
  SparseMatrix damping;           ///< size zero: none
  std::vector<double> influence;  ///< of either base motion; empty: 1 at `.x`, or at `.y`
};

/// @pre matrices and influence have one row per DOF
Structure given_structure(const GivenMatrices& given);

}  // namespace trestle
