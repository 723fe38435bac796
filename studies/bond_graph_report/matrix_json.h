#pragma once

#include <Eigen/Core>
#include <nlohmann/json.hpp>

namespace trestle::bond_graph_report {

/// Returns the matrix as a list of its rows; -0 is written as 0, and a NaN as null.
nlohmann::ordered_json matrix_json(const Eigen::MatrixXd& matrix);

}  // namespace trestle::bond_graph_report
