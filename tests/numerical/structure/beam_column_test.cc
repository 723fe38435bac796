#include "numerical/structure/beam_column.h"

#include <gtest/gtest.h>

#include "tests/numerical/structure/example_frames.h"

namespace trestle::structure::beam_column_test {
namespace {

using testing::kBending;

TEST(BeamColumn, TopOfAVerticalColumnPushesBackInItsOwnSigns) {
  constexpr double L = 3.0;
  const BeamColumn column =
      beam_column(0.0, L, testing::section(), {}, MassMatrixKind::kLumped);
  const Eigen::Vector2i top(3, 5);  // x and rz of the upper end
  Eigen::Matrix2d expected;
  expected << 12.0, 6.0 * L, 6.0 * L, 4.0 * L * L;
  expected *= kBending / (L * L * L);
  EXPECT_TRUE(column.stiffness(top, top).isApprox(expected, 1e-12));
}

TEST(BeamColumn, RigidMotionCostsNoForce) {
  const BeamColumn member =
      beam_column(2.0, 1.5, testing::section(), {}, MassMatrixKind::kLumped);
  Eigen::Matrix<double, 6, 3> rigid;
  rigid << 1, 0, 0, 0, 1, 0, 0, 0, 1,  //
      1, 0, -1.5, 0, 1, 2.0, 0, 0, 1;  // a turn about the start
  EXPECT_LT((member.stiffness * rigid).norm(), 1e-14 * member.stiffness.norm());
}

TEST(BeamColumn, ConsistentMassCarriesRigidMotionExactly) {
  const double m = 50.0;
  const double dx = 2.0;
  const double dy = 1.5;
  const double L = 2.5;
  const BeamColumn member =
      beam_column(dx, dy, testing::section(m), {.to = 1}, MassMatrixKind::kConsistent);
  Eigen::Matrix<double, 6, 3> rigid;
  rigid << 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, -dy, 0, 1, dx, 0, 0, 1;
  const Eigen::Matrix3d mass = rigid.transpose() * member.mass * rigid;
  EXPECT_NEAR(mass(0, 0), m * L, 1e-12 * m * L);
  EXPECT_NEAR(mass(1, 1), m * L, 1e-12 * m * L);
  EXPECT_NEAR(mass(2, 2), m * L * L * L / 3.0, 1e-12 * m * L * L * L);  // about the start
  EXPECT_NEAR(mass(1, 2), m * L * dx / 2.0, 1e-12 * m * L * L);
}

TEST(BeamColumn, HingeLeavesAProppedMember) {
  constexpr double L = 4.0;
  const BeamColumn member = beam_column(L, 0.0, testing::section(10.0), {.hinge_to = true},
                                        MassMatrixKind::kLumped);
  EXPECT_NEAR(member.stiffness(1, 1), 3.0 * kBending / (L * L * L), 1e-3);
  EXPECT_NEAR(member.stiffness(2, 2), 3.0 * kBending / L, 1e-3);
  EXPECT_EQ(member.stiffness.col(5).norm(), 0.0);
  EXPECT_EQ(member.mass.row(5).norm(), 0.0);
  const double total = member.mass(1, 1) + 2.0 * member.mass(1, 4) + member.mass(4, 4);
  EXPECT_NEAR(total, 10.0 * L, 1e-12 * 10.0 * L);
}

// A rotation with mass is no function of what the ends do.
TEST(BeamColumn, HingeLeavesARotationWithConsistentMassToTheMember) {
  const BeamColumn hinged = beam_column(4.0, 0.0, testing::section(10.0),
                                        {.hinge_to = true}, MassMatrixKind::kConsistent);
  const BeamColumn clamped =
      beam_column(4.0, 0.0, testing::section(10.0), {}, MassMatrixKind::kConsistent);
  EXPECT_EQ(hinged.stiffness, clamped.stiffness);
  EXPECT_EQ(hinged.mass, clamped.mass);
}

TEST(BeamColumn, HingesAtBothEndsLeaveATruss) {
  const BeamColumn member =
      beam_column(3.0, 4.0, testing::section(), {.hinge_from = true, .hinge_to = true},
                  MassMatrixKind::kLumped);
  const double axial = testing::kModulus * testing::kArea / 5.0;
  EXPECT_NEAR(member.stiffness(0, 0), axial * 0.36, 1e-9 * axial);
  EXPECT_NEAR(member.stiffness(0, 1), axial * 0.48, 1e-9 * axial);
  EXPECT_NEAR(member.stiffness(1, 1), axial * 0.64, 1e-9 * axial);
}

}  // namespace
}  // namespace trestle::structure::beam_column_test
