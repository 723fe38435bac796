#pragma once

#include <Eigen/SparseCore>
#include <string>

#include "core/base/result.h"

namespace trestle::math {

/// Returns true if the file's name ends in .mtx.
bool is_matrix_market(const std::string& file);

/// Reads a MatrixMarket file: `coordinate` or `array`, `real` or `integer`, `general` or
/// `symmetric`. The matrix has both triangles.
///
/// @returns the matrix, or the first mistake with line and column of its text:
///          "K.mtx:7:3: row 30 is outside the matrix of 29 x 29"
Result<Eigen::SparseMatrix<double>> read_matrix_market(const std::string& file);

}  // namespace trestle::math
