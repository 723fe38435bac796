#pragma once

#include <string>
#include <vector>

#include "core/base/setting_error_collector.h"
#include "numerical/structure/structural_model.h"

namespace trestle::composition {

/// Reads the matrix of these DOFs from a MatrixMarket file and checks size and symmetry.
/// Adds what is wrong at `here`; the matrix is then zero.
structure::SparseMatrix read_market_matrix(const std::string& file,
                                           const std::vector<std::string>& dofs,
                                           const std::string& here,
                                           SettingErrorCollector& problems);

/// Adds the DOFs of a stiffness matrix that a constraint handler made: rows of multipliers
/// (a zero diagonal) and of penalties (above 1e6 times the median).
void check_constraint_rows(const structure::SparseMatrix& stiffness,
                           const std::vector<std::string>& dofs, const std::string& here,
                           SettingErrorCollector& problems);

}  // namespace trestle::composition
