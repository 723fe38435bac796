#include "core/math/riccati.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "core/base/setting_error.h"
#include "core/math/discretisation.h"
#include "core/math/stabilisability.h"

namespace trestle::math {
namespace {

using Eigen::Matrix2d;
using Eigen::MatrixXd;

MatrixXd scalar(double value) {
  return MatrixXd::Constant(1, 1, value);
}

/// Two inputs, an unstable mode; the reference solutions are SciPy's.
QuadraticProblem third_order() {
  QuadraticProblem problem;
  problem.A = (MatrixXd(3, 3) << 0.0, 1.0, 0.0, -4.0, -0.5, 1.0, 0.3, 0.0, 0.2).finished();
  problem.B = (MatrixXd(3, 2) << 0.0, 0.0, 1.0, 0.2, 0.0, 2.0).finished();
  problem.Q = Eigen::Vector3d(3.0, 0.1, 1.0).asDiagonal();
  problem.R = (Matrix2d() << 1.0, 0.2, 0.2, 2.0).finished();
  return problem;
}

TEST(ContinuousRiccati, OfAScalarIsItsClosedForm) {
  for (const double a : {-3.0, 0.0, 2.0})
    for (const double q : {1e-6, 1.0, 1e6}) {
      const double r = 0.25;
      const double b = 2.0;
      const RiccatiSolution solution =
          solve_continuous_riccati({scalar(a), scalar(b), scalar(q), scalar(r)}, "w");
      const double root = std::sqrt(a * a + b * b * q / r);
      // (a + root) r/b² without the cancellation of a negative a.
      const double closed = a < 0.0 ? q / (root - a) : (a + root) * r / (b * b);
      EXPECT_NEAR(solution.X(0, 0), closed, 1e-12 * closed) << a << " " << q;
      EXPECT_NEAR(solution.K(0, 0), closed * b / r, 1e-12 * closed * b / r);
    }
}

TEST(ContinuousRiccati, OfTheDoubleIntegratorIsItsClosedForm) {
  const Matrix2d A = (Matrix2d() << 0.0, 1.0, 0.0, 0.0).finished();
  const RiccatiSolution solution = solve_continuous_riccati(
      {A, Eigen::Vector2d(0.0, 1.0), Matrix2d::Identity(), scalar(1.0)}, "w");
  const double root = std::sqrt(3.0);
  const Matrix2d closed = (Matrix2d() << root, 1.0, 1.0, root).finished();
  EXPECT_LT((solution.X - closed).norm(), 1e-13);
  EXPECT_LT((solution.K - Eigen::RowVector2d(1.0, root)).norm(), 1e-13);
}

TEST(ContinuousRiccati, OfSeveralInputsIsThatOfAnotherProgram) {
  const RiccatiSolution solution = solve_continuous_riccati(third_order(), "w");
  MatrixXd reference(3, 3);
  reference << 2.286099413673566, 0.353873494875788, -0.060518527854419,  //
      0.353873494875788, 0.50061949921408, 0.16639930197158,              //
      -0.060518527854419, 0.16639930197158, 0.903672290302204;
  EXPECT_LT((solution.X - reference).norm(), 1e-12);
}

TEST(ContinuousRiccati, SolvesItsEquationWhateverTheUnitsOfTheStatesAre) {
  QuadraticProblem problem = third_order();
  const RiccatiSolution plain = solve_continuous_riccati(problem, "w");
  const Eigen::Vector3d units(1e-7, 1.0, 1e9);
  const MatrixXd to = units.asDiagonal();
  const MatrixXd back = units.cwiseInverse().asDiagonal();
  problem.A = to * problem.A * back;
  problem.B = to * problem.B;
  problem.Q = back * problem.Q * back;
  const RiccatiSolution scaled = solve_continuous_riccati(problem, "w");
  EXPECT_LT((scaled.K * to - plain.K).norm(), 1e-11 * plain.K.norm());
}

TEST(DiscreteRiccati, OfAScalarIsItsClosedForm) {
  for (const double a : {0.0, 0.5, 1.0, 1.7}) {
    const double b = 0.4;
    const double q = 0.3;
    const double r = 2.0;
    const RiccatiSolution solution =
        solve_discrete_riccati({scalar(a), scalar(b), scalar(q), scalar(r)}, "w");
    // b² x² + (r (1 − a²) − b² q) x − q r = 0, the positive root.
    const double middle = r * (1.0 - a * a) - b * b * q;
    const double closed =
        (-middle + std::sqrt(middle * middle + 4.0 * b * b * q * r)) / (2.0 * b * b);
    EXPECT_NEAR(solution.X(0, 0), closed, 1e-12 * closed) << a;
    EXPECT_NEAR(solution.K(0, 0), a * b * closed / (r + b * b * closed), 1e-12);
  }
}

TEST(DiscreteRiccati, OfSeveralInputsIsThatOfAnotherProgram) {
  QuadraticProblem problem = third_order();
  problem.A *= 0.3;
  const RiccatiSolution solution = solve_discrete_riccati(problem, "w");
  MatrixXd reference(3, 3);
  reference << 3.422837611584433, 0.04125689057354, -0.102994597467256,  //
      0.04125689057354, 0.411294744291406, -0.01110343409583,            //
      -0.102994597467256, -0.01110343409583, 1.02732793634808;
  EXPECT_LT((solution.X - reference).norm(), 1e-12);
}

/// Sampled ever faster, the discrete problem becomes the continuous one.
TEST(DiscreteRiccati, TendsToTheContinuousOneWithTheTick) {
  const QuadraticProblem problem = third_order();
  const RiccatiSolution limit = solve_continuous_riccati(problem, "w");
  double last = 1.0;
  for (const double tick : {1e-2, 1e-3, 1e-4}) {
    const DiscreteStateSpace sampled = discretise(
        {problem.A, problem.B, MatrixXd::Identity(3, 3), MatrixXd::Zero(3, 2)}, tick);
    const RiccatiSolution solution = solve_discrete_riccati(
        {sampled.A, sampled.B, problem.Q * tick, problem.R * tick}, "w");
    const double error = (solution.K - limit.K).norm() / limit.K.norm();
    EXPECT_LT(error, 0.2 * last) << tick;
    last = error;
  }
}

TEST(DiscreteRiccati, SolvesItsEquationWhateverTheUnitsOfTheStatesAre) {
  QuadraticProblem problem = third_order();
  problem.A *= 0.3;
  const RiccatiSolution plain = solve_discrete_riccati(problem, "w");
  const Eigen::Vector3d units(1e-7, 1.0, 1e9);
  const MatrixXd to = units.asDiagonal();
  const MatrixXd back = units.cwiseInverse().asDiagonal();
  problem.A = to * problem.A * back;
  problem.B = to * problem.B;
  problem.Q = back * problem.Q * back;
  const RiccatiSolution scaled = solve_discrete_riccati(problem, "w");
  EXPECT_LT((scaled.K * to - plain.K).norm(), 1e-11 * plain.K.norm());
}

TEST(DiscreteRiccati, TakesAModelThatForgetsInOneTick) {
  const Matrix2d shift = (Matrix2d() << 0.0, 1.0, 0.0, 0.0).finished();
  const RiccatiSolution solution = solve_discrete_riccati(
      {shift, Eigen::Vector2d(0.0, 1.0), Matrix2d::Identity(), scalar(1.0)}, "w");
  EXPECT_LT((solution.X - Matrix2d(Eigen::Vector2d(1.0, 2.0).asDiagonal())).norm(), 1e-14);
}

TEST(DiscreteRiccati, SaysWhichModeNothingMoves) {
  const Matrix2d A = Eigen::Vector2d(1.25, 0.5).asDiagonal();
  try {
    solve_discrete_riccati(
        {A, Eigen::Vector2d(0.0, 1.0), Matrix2d::Identity(), scalar(1.0)}, "site.lqg");
    FAIL() << "an unstable mode without an input";
  } catch (const SettingError& error) {
    EXPECT_EQ(std::string(error.what()),
              "site.lqg: the mode at z = 1.25 does not decay, and no input moves it (not "
              "stabilisable)");
  }
}

TEST(ContinuousRiccati, SaysWhichModeNoWeightSees) {
  const Matrix2d A = Eigen::Vector2d(0.0, -1.0).asDiagonal();
  const Matrix2d Q = Eigen::Vector2d(0.0, 1.0).asDiagonal();
  try {
    solve_continuous_riccati({A, Matrix2d::Identity(), Q, Matrix2d::Identity()}, "w");
    FAIL() << "an integrator without a weight";
  } catch (const SettingError& error) {
    EXPECT_NE(std::string(error.what()).find("s = 0 does not decay, and no weight sees it"),
              std::string::npos)
        << error.what();
  }
}

TEST(Riccati, RefusesAWeightThatIsNone) {
  EXPECT_THROW(
      solve_discrete_riccati({scalar(0.5), scalar(1.0), scalar(1.0), scalar(0.0)}, "w"),
      SettingError);
  EXPECT_THROW(solve_continuous_riccati(
                   {scalar(0.5), scalar(1.0), scalar(std::nan("")), scalar(1.0)}, "w"),
               SettingError);
}

TEST(Stabilisability, KnowsWhatDecays) {
  const Matrix2d A = (Matrix2d() << -0.1, 2.0, -2.0, -0.1).finished();
  EXPECT_TRUE(is_asymptotically_stable(A, TimeDomain::kContinuous));
  EXPECT_FALSE(is_asymptotically_stable(A, TimeDomain::kDiscrete));
  EXPECT_FALSE(uncontrollable_mode(A, MatrixXd::Zero(2, 1), TimeDomain::kContinuous));
  EXPECT_TRUE(uncontrollable_mode(A, MatrixXd::Zero(2, 1), TimeDomain::kDiscrete));
}

}  // namespace
}  // namespace trestle::math
