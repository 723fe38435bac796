#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "composition/numerical/numerical_factory.h"
#include "proto/config/test.pb.h"

namespace trestle::substructure {
namespace {

constexpr double kLength = 20.0;             // L [m]
constexpr double kStiffness = 210e9 * 0.01;  // EI [N·m²]
constexpr double kMassPerLength = 2000.0;    // μ [kg/m]
constexpr double kForce = 100e3;             // P [N]
constexpr double kSpeed = 40.0;              // c [m/s]
constexpr double kTimeStep = 1.0 / 4096.0;   // Δt [s]
constexpr double kPi = std::numbers::pi;

config::Test crossing() {
  config::Test test;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(R"(
    test: "crossing" time_step: 0.000244140625
    excitation { moving_loads { force: 100e3 speed: 40 path: ["n0", "n16"] } }
    numerical {
      beam { length: 20 elements: 16 E: 210e9 I: 0.01 mass_per_length: 2000
        mass_matrix: CONSISTENT
        supports { nodes: ["n0", "n16"] fixed: DOF_Y } }
      integrator { operator_splitting { alpha: 0 } } }
    recording { nodes: "n8" } undivided: true)",
                                                            &test));
  return test;
}

/// Deflection at midspan, downwards, while the force is on the beam (Frýba 1999, ch. 1):
/// the modal amplitudes obey q̈ⱼ + ωⱼ²·qⱼ = 2P/(μL)·sin(Ωⱼ·t), Ωⱼ = jπc/L.
double series(double t) {
  double sum = 0.0;
  for (int j = 1; j <= 99; j += 2) {
    const double omega =
        std::pow(j * kPi / kLength, 2) * std::sqrt(kStiffness / kMassPerLength);
    const double drive = j * kPi * kSpeed / kLength;
    const double q = 2.0 * kForce / (kMassPerLength * kLength) /
                     (omega * omega - drive * drive) *
                     (std::sin(drive * t) - drive / omega * std::sin(omega * t));
    sum += q * std::sin(0.5 * j * kPi);
  }
  return sum;
}

// What stays is the phase of the third mode, ω₃³·Δt²·t/12 = 0.03 at the end, of a free
// amplitude that is 1e-3 of the static deflection; the first mode's is smaller still.
TEST(AForceThatCrossesASimplySupportedBeam, BendsItAsTheSeriesSays) {
  const auto beam = composition::make_numerical(crossing(), {}, nullptr);
  ASSERT_EQ(beam->channels().at(0).name, "n8.y.disp_m");
  const double at_rest = kForce * std::pow(kLength, 3) / (48.0 * kStiffness);
  std::vector<double> row(beam->channels().size());
  double largest = 0.0;
  double worst = 0.0;
  beam->prepare();
  beam->correct(-1, {});
  ASSERT_EQ(beam->steps(), 2049);  // until the force leaves, L/c = 0.5 s
  for (std::int64_t k = 0; k < beam->steps(); ++k) {
    beam->predict(k, {});
    ASSERT_TRUE(beam->correct(k, {}));
    beam->record(row);
    const double expected = -series(static_cast<double>(k) * kTimeStep);
    worst = std::max(worst, std::abs(row[0] - expected));
    largest = std::max(largest, -row[0]);
  }
  EXPECT_LT(worst, 2e-4 * at_rest) << worst / at_rest;
  EXPECT_GT(largest, at_rest);  // faster than the static one, and larger
}

}  // namespace
}  // namespace trestle::substructure
