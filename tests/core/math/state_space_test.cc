#include "core/math/state_space.h"

#include <gtest/gtest.h>

#include "core/math/sampled_system.h"

namespace trestle::math {
namespace {

/// 1/(s² + 2 s + 1e8): badly scaled on purpose.
StateSpace stiff_oscillator() {
  StateSpace system{Eigen::MatrixXd(2, 2), Eigen::MatrixXd(2, 1), Eigen::MatrixXd(1, 2),
                    Eigen::MatrixXd::Zero(1, 1)};
  system.A << 0.0, 1.0, -1e8, -2.0;
  system.B << 0.0, 1.0;
  system.C << 1.0, 0.0;
  return system;
}

TEST(StateSpace, FrequencyResponseIsTheTransferFunction) {
  const std::complex<double> s(0.0, 3.0);
  const std::complex<double> exact = 1.0 / (s * s + 2.0 * s + 1e8);
  EXPECT_NEAR(std::abs(frequency_response(stiff_oscillator(), s)(0, 0) / exact - 1.0), 0.0,
              1e-13);
}

TEST(StateSpace, BalancingKeepsTheTransferFunctionAndEvensTheSizes) {
  const StateSpace even = balanced(stiff_oscillator());
  const std::complex<double> s(0.0, 9e3);
  const auto exact = frequency_response(stiff_oscillator(), s)(0, 0);
  EXPECT_NEAR(std::abs(frequency_response(even, s)(0, 0) / exact - 1.0), 0.0, 1e-12);
  EXPECT_LT(even.A.cwiseAbs().maxCoeff(), 1e5);
}

TEST(StateSpace, SizesThatDoNotFitAreSeen) {
  StateSpace system = stiff_oscillator();
  EXPECT_TRUE(sizes_fit(system));
  system.B.resize(3, 1);
  EXPECT_FALSE(sizes_fit(system));
}

TEST(SampledSystem, TellsTheRatesOfItsOwnMotion) {
  // y'' = u: after t with u = 1, y = t²/2, y' = t, y'' = 1.
  StateSpace twice{Eigen::MatrixXd(2, 2), Eigen::MatrixXd(2, 1), Eigen::MatrixXd(1, 2),
                   Eigen::MatrixXd::Zero(1, 1)};
  twice.A << 0.0, 1.0, 0.0, 0.0;
  twice.B << 0.0, 1.0;
  twice.C << 1.0, 0.0;
  SampledSystem held(twice, 0.125);
  const Eigen::VectorXd one = Eigen::VectorXd::Ones(1);
  for (int n = 0; n < 8; ++n) held.advance(one);
  EXPECT_NEAR(held.output()(0), 0.5, 1e-15);
  EXPECT_NEAR(held.rate()(0), 1.0, 1e-15);
  EXPECT_NEAR(held.acceleration()(0), 1.0, 1e-15);
}

TEST(SampledSystem, GoesOnFromASnapshotBitForBit) {
  SampledSystem original(stiff_oscillator(), 1e-3);
  SampledSystem copy(stiff_oscillator(), 1e-3);
  const Eigen::VectorXd one = Eigen::VectorXd::Ones(1);
  for (int n = 0; n < 7; ++n) original.advance(one);
  SnapshotWriter writer;
  original.save(writer);
  SnapshotReader reader(writer.values());
  copy.restore(reader);
  EXPECT_TRUE(reader.at_end());
  original.advance(one);
  copy.advance(one);
  EXPECT_EQ(original.output()(0), copy.output()(0));
  EXPECT_EQ(original.acceleration()(0), copy.acceleration()(0));
}

}  // namespace
}  // namespace trestle::math
