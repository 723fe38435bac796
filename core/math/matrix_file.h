#pragma once

#include <Eigen/Core>
#include <string>

#include "core/base/result.h"

namespace trestle::math {

/// Reads a matrix from CSV: no header, one line per row, numbers between commas (or
/// semicolons, tabs, blanks), empty lines ignored. A file .mtx is read as MatrixMarket.
///
/// @returns the matrix, or why there is none, with file and line: "K.csv:3: has 28 numbers;
///          the first row has 29"
Result<Eigen::MatrixXd> read_matrix(const std::string& file);

}  // namespace trestle::math
