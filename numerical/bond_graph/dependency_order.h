#pragma once

#include <Eigen/Core>
#include <vector>

namespace trestle::bond_graph {

/// The rows of a square matrix that lie on a cycle of its nonzero pattern, i depends on j
/// where A(i, j) is not zero: what must be solved together.
std::vector<Eigen::Index> cyclic_rows(const Eigen::MatrixXd& A);

/// An order of the rows in which each depends on earlier ones alone; rows on a cycle last.
std::vector<Eigen::Index> dependency_order(const Eigen::MatrixXd& A);

}  // namespace trestle::bond_graph
