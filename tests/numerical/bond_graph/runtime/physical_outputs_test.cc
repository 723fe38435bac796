#include "numerical/bond_graph/runtime/physical_outputs.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/numerical/bond_graph/model_files.h"

/// What nobody measures: the velocity of a mass behind a spring and a damper whose other
/// end is moved. Oracles are closed forms.
namespace trestle::bond_graph::physical_outputs_test {
namespace {

using Eigen::VectorXd;

constexpr double kStep = 1e-3;
constexpr double kMass = 2.0, kDamping = 8.0, kStiffness = 800.0;

constexpr const char* kModel = R"(
bond_graph: a mass behind a spring
components:
  wall: Sf
  j: "0"
  k1: {type: C, k: 2000}
  v: "1"
  m1: {type: I, m: 5}
  link: "0"
  stretch: "1"
  k2: {type: C, k: 800}
  c2: {type: R, c: 8}
  m2: {type: I, m: 2}
bonds:
  - [wall, j]
  - [j, k1]
  - [j, v]
  - [v, m1]
  - [v, link, cut]
  - [link, stretch]
  - [stretch, k2]
  - [stretch, c2]
  - [link, m2]
physical: [link, stretch, k2, c2, m2]
transfer: {actuator: {m: 5, c: 300, k: 30000}}
outputs:
  - [f, m2]
  - [e, k2]
  - [f, c2]
  - [f, m1]
)";

/// Stretch q of the spring and momentum of the mass: q'' + 2 d w q' + w² q = a base
/// motion's acceleration.
TEST(PhysicalOutputs, AreThoseOfTheModelUnderTheMeasuredMotion) {
  const Substructuring model = substructure(model_of(kModel));
  PhysicalOutputs outputs(model, kStep);
  ASSERT_EQ(outputs.names(), (std::vector<std::string>{"m2.f", "k2.e", "c2.f"}));
  outputs.reset();
  // A base that moves at 0.3 m/s from the beginning on: the mass begins at rest, so the
  // spring answers as one free from a velocity of 0.3 m/s.
  const double w = std::sqrt(kStiffness / kMass), d = kDamping / (2.0 * kMass * w);
  const double wd = w * std::sqrt(1.0 - d * d);
  VectorXd base = VectorXd::Zero(1);
  ASSERT_TRUE(outputs.begin(base));
  for (int k = 1; k <= 1000; ++k) {
    const double t = k * kStep;
    base[0] = 0.3 * t;
    ASSERT_TRUE(outputs.advance(base));
    if (k < 2) continue;  // from two periods on its velocity is known
    const double q = 0.3 * std::exp(-d * w * t) * std::sin(wd * t) / wd;
    const double q_rate =
        0.3 * std::exp(-d * w * t) * (std::cos(wd * t) - d * w / wd * std::sin(wd * t));
    EXPECT_NEAR(outputs.values()[0], 0.3 - q_rate, 1e-10) << t;
    EXPECT_NEAR(outputs.values()[1], kStiffness * q, 1e-8) << t;
    EXPECT_NEAR(outputs.values()[2], q_rate, 1e-10) << t;
  }
}

/// A base at 1 m/s²: the damper feels the velocity at the end of a period, not its mean,
/// which is 5e-4 m/s less.
TEST(PhysicalOutputs, KnowTheVelocityAtTheEndOfAPeriod) {
  const Substructuring model = substructure(model_of(kModel));
  PhysicalOutputs outputs(model, kStep);
  outputs.reset();
  const double w = std::sqrt(kStiffness / kMass), d = kDamping / (2.0 * kMass * w);
  const double wd = w * std::sqrt(1.0 - d * d);
  VectorXd base = VectorXd::Zero(1);
  ASSERT_TRUE(outputs.begin(base));
  for (int k = 1; k <= 500; ++k) {
    const double t = k * kStep;
    base[0] = 0.5 * t * t;
    ASSERT_TRUE(outputs.advance(base));
    if (k < 2) continue;
    EXPECT_NEAR(outputs.values()[2], std::exp(-d * w * t) * std::sin(wd * t) / wd, 2e-5)
        << t;
  }
}

TEST(PhysicalOutputs, BeginInTheInitialStates) {
  const Substructuring model = substructure(
      model_of(std::string(kModel) +
               "initial: {k2: {displacement: 10 mm}, m2: {velocity: 0.2 m/s}}\n"));
  PhysicalOutputs outputs(model, kStep);
  outputs.reset();
  ASSERT_TRUE(outputs.begin(VectorXd::Constant(1, 0.5)));
  EXPECT_DOUBLE_EQ(outputs.values()[0], 0.2);
  EXPECT_DOUBLE_EQ(outputs.values()[1], 8.0);
}

TEST(PhysicalOutputs, GoOnFromASnapshotToTheBit) {
  const Substructuring model = substructure(model_of(kModel));
  const Substructuring again = substructure(model_of(kModel));
  PhysicalOutputs one(model, kStep), other(again, kStep);
  const auto base = [](int k) {
    return VectorXd(VectorXd::Constant(1, 1e-3 * std::sin(0.02 * k)));
  };
  one.reset();
  one.begin(base(0));
  for (int k = 1; k < 100; ++k) one.advance(base(k));
  SnapshotWriter written;
  one.save(written);
  SnapshotReader read(written.values());
  other.restore(read);
  EXPECT_TRUE(read.at_end());
  for (int k = 100; k < 200; ++k) {
    one.advance(base(k));
    other.advance(base(k));
  }
  EXPECT_EQ(one.values(), other.values());
}

}  // namespace
}  // namespace trestle::bond_graph::physical_outputs_test
