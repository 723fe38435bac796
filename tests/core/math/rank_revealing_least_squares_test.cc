#include "core/math/rank_revealing_least_squares.h"

#include <gtest/gtest.h>

namespace trestle::math {
namespace {

TEST(BasicSolution, SolvesWhatIsRegular) {
  NormalMatrix A(3, 3);
  A << 4.0, 0, 0, 1.0, 3.0, 0, -2.0, 0.5, 5.0;  // the lower triangle
  const Eigen::Vector3d expected{1.0, -2.0, 0.25};
  const Eigen::MatrixXd whole = A.selfadjointView<Eigen::Lower>();
  const NormalVector found = solve_rank_deficient(A, NormalVector(whole * expected), 1e-13);
  EXPECT_LT((found - expected).norm(), 1e-15 * 10);
}

TEST(BasicSolution, DoesNotMindTheSizesOfItsColumns) {
  NormalMatrix A(2, 2);
  A << 1e12, 0, 0.5, 1e-12;
  NormalVector b(2);
  b << 1.5e6, 1.5e-6;
  const NormalVector found = solve_rank_deficient(A, b, 1e-13);
  EXPECT_NEAR(found[0], 1e-6, 1e-21);
  EXPECT_NEAR(found[1], 1e6, 1e-9);
}

TEST(BasicSolution, LeavesOutWhatEarlierColumnsExplain) {
  const Eigen::Vector3d one{1.0, 2.0, 3.0};
  Eigen::Matrix3d rows;  // third column: the sum of the others
  rows << one, Eigen::Vector3d{1.0, 0.0, -1.0}, one + Eigen::Vector3d{1.0, 0.0, -1.0};
  const Eigen::Vector3d values{3.0, 2.0, 1.0};
  const NormalVector found =
      solve_rank_deficient(NormalMatrix(rows.transpose() * rows),
                           NormalVector(rows.transpose() * values), 1e-13);
  EXPECT_EQ(found[2], 0.0);
  EXPECT_NEAR(found[0], 1.0, 1e-14);
  EXPECT_NEAR(found[1], 2.0, 1e-14);
}

TEST(BasicSolution, OfNothingIsZero) {
  const NormalVector found =
      solve_rank_deficient(NormalMatrix::Zero(2, 2), NormalVector::Zero(2), 1e-13);
  EXPECT_TRUE(found.isZero(0.0));
}

/// The second lane has a third column that the first two explain, the first has none such.
TEST(BasicSolution, HasTheBitsOfEachAloneWhereLanesShareIt) {
  using lanes::Pack;
  Eigen::Matrix3d rows[2];
  rows[0] << 1.0, 0.3, 7.0, 2.0, -1.1, 0.2, 3.0, 0.9, -4.0;
  rows[1] << 1.0, 1.0, 2.0, 2.0, 0.0, 2.0, 3.0, -1.0, 2.0;
  const Eigen::Vector3d values{3.0, 2.5, 1.0};
  Pack<2> A[9];
  Pack<2> b[3];
  NormalVector alone[2];
  for (int lane = 0; lane < 2; ++lane) {
    const NormalMatrix gram = rows[lane].transpose() * rows[lane];
    const NormalVector right = rows[lane].transpose() * values;
    for (int i = 0; i < 9; ++i) A[i].set(lane, gram.data()[i]);
    for (int i = 0; i < 3; ++i) b[i].set(lane, right[i]);
    alone[lane] = solve_rank_deficient(gram, right, 1e-13);
  }
  solve_rank_deficient(3, A, b, 1e-13);
  EXPECT_NE(alone[0][2], 0.0);
  EXPECT_EQ(alone[1][2], 0.0);
  for (int lane = 0; lane < 2; ++lane)
    for (int i = 0; i < 3; ++i) EXPECT_EQ(b[i][lane], alone[lane][i]) << lane << i;
}

}  // namespace
}  // namespace trestle::math
