#include "adapters/simulated/column_specimen.h"

#include <gtest/gtest.h>

#include <cmath>

#include "adapters/simulated/bilinear_hinge.h"
#include "adapters/simulated/bouc_wen_hinge.h"

namespace trestle::simulated::column_specimen_test {
namespace {

constexpr double kHeight = 3.0;
constexpr double kBending = 210e9 * 5696e-8;  // EI
constexpr double kYield = 180e3;

ColumnSettings settings(int dofs) {
  return {.dofs = dofs,
          .elastic_modulus = 210e9,
          .area = 78.1e-4,
          .second_moment = 5696e-8,
          .height = kHeight};
}

std::unique_ptr<PlasticHinge> bilinear(double hardening) {
  return std::make_unique<BilinearHinge>(
      HingeSettings{kYield, hardening, ColumnSpecimen::end_stiffness(settings(2))});
}

std::unique_ptr<PlasticHinge> bouc_wen(double hardening) {
  return std::make_unique<BoucWenHinge>(
      HingeSettings{kYield, hardening, ColumnSpecimen::end_stiffness(settings(2))}, 2.0);
}

InterfaceVector move_to(ColumnSpecimen& column, const InterfaceVector& displacement) {
  const InterfaceVector zero = InterfaceVector::Zero(displacement.size());
  return column.advance(displacement, zero, zero);
}

TEST(ColumnSpecimen, ElasticStiffnessIsTheClosedForm) {
  const double h = kHeight;
  const ColumnSpecimen cantilever(settings(1), nullptr, nullptr);
  EXPECT_DOUBLE_EQ(cantilever.initial_stiffness()(0, 0), 3.0 * kBending / (h * h * h));
  const Eigen::MatrixXd K =
      ColumnSpecimen(settings(3), nullptr, nullptr).initial_stiffness();
  EXPECT_DOUBLE_EQ(K(0, 0), 12.0 * kBending / (h * h * h));
  EXPECT_DOUBLE_EQ(K(0, 2), 6.0 * kBending / (h * h));
  EXPECT_DOUBLE_EQ(K(2, 0), K(0, 2));
  EXPECT_DOUBLE_EQ(K(2, 2), 4.0 * kBending / h);
  EXPECT_DOUBLE_EQ(K(1, 1), 210e9 * 78.1e-4 / h);
  // Turned freely, the top sways to the left when it turns counter-clockwise: 3 EI/h³ is
  // left.
  EXPECT_NEAR(K(0, 0) - K(0, 2) * K(2, 0) / K(2, 2), 3.0 * kBending / (h * h * h), 1e-6);
}

TEST(ColumnSpecimen, ForceBelowYieldIsTheStiffnessTimesTheMotion) {
  for (const int dofs : {1, 2, 3}) {
    ColumnSpecimen column(settings(dofs), bilinear(0.03), bilinear(0.03));
    InterfaceVector motion(dofs);
    for (int i = 0; i < dofs; ++i) motion(i) = 1e-3 / (i + 1);
    const Eigen::VectorXd expected = column.initial_stiffness() * motion;
    EXPECT_TRUE(move_to(column, motion).isApprox(expected, 1e-14)) << dofs;
  }
}

TEST(ColumnSpecimen, BothHingesYieldingIsThePlasticMechanism) {
  ColumnSpecimen column(settings(2), bilinear(0.0), bilinear(0.0));
  const InterfaceVector force = move_to(column, Eigen::Vector2d(0.5, 0.0));
  EXPECT_NEAR(force(0), 2.0 * kYield / kHeight, 1e-9 * kYield);
  EXPECT_NEAR(force(1), kYield, 1e-9 * kYield);
}

TEST(ColumnSpecimen, ACantileverYieldsAtItsFootAlone) {
  ColumnSpecimen column(settings(1), bilinear(0.0), bilinear(0.0));
  EXPECT_NEAR(move_to(column, InterfaceVector::Constant(1, 0.5))(0), kYield / kHeight,
              1e-9 * kYield);
}

TEST(ColumnSpecimen, BothHingesHardenWithTheRatioOfTheStorey) {
  ColumnSpecimen column(settings(2), bilinear(0.03), bilinear(0.03));
  const double first = move_to(column, Eigen::Vector2d(0.2, 0.0))(0);
  const double second = move_to(column, Eigen::Vector2d(0.3, 0.0))(0);
  EXPECT_NEAR((second - first) / 0.1, 0.03 * column.initial_stiffness()(0, 0),
              1e-8 * column.initial_stiffness()(0, 0));
}

/// Work done on a column that goes round and comes back to where it began.
double work_of_a_loop(ColumnSpecimen& column, double amplitude) {
  InterfaceVector last = InterfaceVector::Zero(2);
  InterfaceVector last_force = InterfaceVector::Zero(2);
  double work = 0.0;
  for (int n = 1; n <= 2000; ++n) {
    const double turn = 2.0 * M_PI * n / 1000.0;
    const InterfaceVector at = Eigen::Vector2d(amplitude * std::sin(turn),
                                               0.2 * amplitude * (1.0 - std::cos(turn)));
    const InterfaceVector force = move_to(column, at);
    work += 0.5 * (force + last_force).dot(at - last);
    last = at;
    last_force = force;
  }
  return work;
}

TEST(ColumnSpecimen, AClosedLoopTakesEnergyOnlyWhereItYields) {
  ColumnSpecimen strong(settings(2), bilinear(0.03), bilinear(0.03));
  EXPECT_NEAR(work_of_a_loop(strong, 0.001), 0.0, 1e-9);
  for (const double hardening : {0.0, 0.05}) {
    ColumnSpecimen sharp(settings(2), bilinear(hardening), bilinear(hardening));
    ColumnSpecimen smooth(settings(2), bouc_wen(hardening), bouc_wen(hardening));
    const double sharp_work = work_of_a_loop(sharp, 0.1);
    const double smooth_work = work_of_a_loop(smooth, 0.1);
    EXPECT_GT(sharp_work, 0.0);
    EXPECT_NEAR(smooth_work, sharp_work, 0.1 * sharp_work);
  }
}

TEST(ColumnSpecimen, EveryStepOfBothHingesSatisfiesTheSeriesExactly) {
  // The moments must be those of the elastic part of the rotations, whatever yielded: with
  // equal hinges and a sway alone, both moments are equal, and f h = 2 M.
  ColumnSpecimen column(settings(2), bouc_wen(0.02), bouc_wen(0.02));
  for (int n = 1; n < 400; ++n) {
    const InterfaceVector force =
        move_to(column, Eigen::Vector2d(0.1 * std::sin(0.05 * n), 0));
    EXPECT_NEAR(force(0) * kHeight, 2.0 * force(1), 1e-9 * kYield) << n;
  }
}

TEST(ColumnSpecimen, DampingIsProportionalToTheStiffness) {
  ColumnSettings damped = settings(2);
  damped.damping = 0.01;
  ColumnSpecimen column(damped, nullptr, nullptr);
  const InterfaceVector zero = InterfaceVector::Zero(2);
  const InterfaceVector force = column.advance(zero, Eigen::Vector2d(1.0, 0.0), zero);
  EXPECT_DOUBLE_EQ(force(0), 0.01 * column.initial_stiffness()(0, 0));
}

}  // namespace
}  // namespace trestle::simulated::column_specimen_test
