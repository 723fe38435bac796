#pragma once

#include <gtest/gtest.h>

#include <Eigen/Core>

namespace trestle::bond_graph {

/// Entry by entry.
inline void expect_matrix(const Eigen::MatrixXd& found, const Eigen::MatrixXd& wanted,
                          double tolerance) {
  ASSERT_EQ(found.rows(), wanted.rows());
  ASSERT_EQ(found.cols(), wanted.cols());
  if (found.size() == 0) return;
  EXPECT_LE((found - wanted).cwiseAbs().maxCoeff(), tolerance) << "found\n"
                                                               << found << "\nwanted\n"
                                                               << wanted;
}

}  // namespace trestle::bond_graph
