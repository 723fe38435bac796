#include <gtest/gtest.h>

#include <tuple>

#include "studies/identification/reparametrised_fit.h"
#include "studies/identification/tikhonov.h"
#include "tests/studies/identification/beam_example.h"

namespace trestle::identification {
namespace {

constexpr double kBar = 1e-6;  // B7: 1e-4 %
constexpr int kMostIterations = 40;

/// The source's Table 1: tyre, factor on the true parameters, what is measured, at how many
/// points.
class NoiseFreeGrid
    : public testing::TestWithParam<std::tuple<double, double, Measures, int>> {
 protected:
  IdentificationProblem problem() const {
    const auto& [tyre, alpha, measures, count] = GetParam();
    IdentificationProblem made =
        car_problem(girder_, tyre, alpha, sensors(count, measures), passage_settings());
    measure(made, truth(), 0.0, 1);
    return made;
  }
  static Eigen::VectorXd truth() { return car_values(std::get<0>(GetParam())); }

  const Girder girder_{beam_settings()};
};

TEST_P(NoiseFreeGrid, IsFoundByTheReparametrisedFit) {
  const ParameterEstimate found = reparametrised_fit(problem(), {});
  EXPECT_LT(worst_error(found.parameters, truth()), kBar);
  EXPECT_TRUE(found.converged);
  EXPECT_LE(found.iterations, kMostIterations);
}

TEST_P(NoiseFreeGrid, IsFoundByGaussNewtonWithCrossValidation) {
  const ParameterEstimate found = tikhonov_gauss_newton(problem(), {});
  EXPECT_LT(worst_error(found.parameters, truth()), kBar);
  EXPECT_TRUE(found.converged);
  EXPECT_LE(found.iterations, kMostIterations);
}

TEST_P(NoiseFreeGrid, IsFoundByGaussNewtonWithTheLCurve) {
  TikhonovSettings settings;
  settings.regularisation = Regularisation::kLCurve;
  const ParameterEstimate found = tikhonov_gauss_newton(problem(), settings);
  EXPECT_LT(worst_error(found.parameters, truth()), 0.0058);  // B4, worst
  EXPECT_LE(found.iterations, kMostIterations);
}

INSTANTIATE_TEST_SUITE_P(Of, NoiseFreeGrid,
                         testing::Combine(testing::Values(kSoftTyre, kTyre),
                                          testing::Values(0.2, 5.0),
                                          testing::Values(Measures::kDisplacement,
                                                          Measures::kVelocity,
                                                          Measures::kAcceleration),
                                          testing::Values(1, 3, 5)));

TEST(Tikhonov, TakesTheLeastSquaresStepWhereNoiseIsAbsent) {
  Eigen::MatrixXd A(4, 2);
  A << 1, 2, 3, 4, 5, 7, 7, 9;
  const Eigen::VectorXd x = Eigen::Vector2d(0.5, -2.0);
  for (const Regularisation rule : {Regularisation::kGcv, Regularisation::kNone})
    EXPECT_LT((regularised_solution(A, A * x, rule) - x).norm(), 1e-6);
}

}  // namespace
}  // namespace trestle::identification
