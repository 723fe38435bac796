#include "numerical/bond_graph/runtime/transfer_identifier.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <optional>

namespace trestle::bond_graph::transfer_identifier_test {
namespace {

constexpr double kStep = 1e-3;
constexpr double kPi = std::numbers::pi;
const NominalTransfer kTableOne{
    .mass = 2.2, .damping = 150.8, .stiffness = 13618.0, .load = 1.0};

/// m x'' = k (x_d − x) − c x' − load F, the command held over a step, F = K (x − t) + C x',
/// by the classic rule in twentieths of a step.
struct Actuator {
  double mass = 2.2, damping = 150.8, stiffness = 13618.0, load = 1.0;
  std::function<double(double)> force = [](double) {
    return 0.0;
  };
  double t = 0.0, x = 0.0, v = 0.0;

  double acceleration(double at, double place, double speed, double command) const {
    return (stiffness * (command - place) - damping * speed - load * force(at)) / mass;
  }
  void step(double command) {
    const double h = kStep / 20.0;
    for (int i = 0; i < 20; ++i) {
      const double a1 = acceleration(t, x, v, command);
      const double a2 = acceleration(t + h / 2, x + h / 2 * v, v + h / 2 * a1, command);
      const double a3 =
          acceleration(t + h / 2, x + h / 2 * (v + h / 2 * a1), v + h / 2 * a2, command);
      const double a4 = acceleration(t + h, x + h * (v + h / 2 * a2), v + h * a3, command);
      x += h * (v + h / 6 * (a1 + a2 + a3));
      v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
      t += h;
    }
  }
};

double two_tones(double t) {
  return 4e-3 * std::sin(2 * kPi * 2.0 * t) + 2e-3 * std::sin(2 * kPi * 5.5 * t);
}

struct Outcome {
  TransferIdentifier::Ratios ratios;
  double excitation;
  bool frozen;
};

Outcome identify(Actuator actuator, const std::function<double(double)>& command,
                 double seconds, const NominalTransfer& nominal = kTableOne,
                 const IdentificationSettings& settings = {}) {
  TransferIdentifier identifier(nominal, kStep, settings);
  identifier.begin(actuator.x, actuator.force(0.0));
  const auto steps = std::llround(seconds / kStep);
  for (std::int64_t k = 0; k < steps; ++k) {
    const double drive = command(static_cast<double>(k) * kStep);
    actuator.step(drive);
    identifier.add(drive, actuator.x, actuator.force(actuator.t));
  }
  return {identifier.identified(), identifier.excitation(), identifier.frozen()};
}

/// A force of frequencies of its own, so that it is told from the motion.
double outer_force(double t) {
  return 12.0 * std::sin(2 * kPi * 3.3 * t) + 8.0 * std::cos(2 * kPi * 4.6 * t);
}

/// a = m/k, b = c/k, g = load/k of the real actuator over the file's, each differently off:
/// a flipped sign of one term of the equation, of the filter or of the update shows in one.
TEST(TransferIdentifier, FindsEachParameter) {
  const Actuator real{.mass = 2.6,
                      .damping = 190.0,
                      .stiffness = 11500.0,
                      .load = 0.9,
                      .force = outer_force};
  const Outcome found = identify(real, two_tones, 8.0);
  EXPECT_FALSE(found.frozen);
  EXPECT_NEAR(found.ratios[0], (2.6 / 11500.0) / (2.2 / 13618.0), 2e-3);
  EXPECT_NEAR(found.ratios[1], (190.0 / 11500.0) / (150.8 / 13618.0), 2e-3);
  EXPECT_NEAR(found.ratios[2], (0.9 / 11500.0) / (1.0 / 13618.0), 2e-3);
}

TEST(TransferIdentifier, LeavesWhatIsRightAsItIs) {
  const Outcome found = identify({.force = outer_force}, two_tones, 8.0);
  EXPECT_FALSE(found.frozen);
  for (const double ratio : found.ratios) EXPECT_NEAR(ratio, 1.0, 2e-3);
}

TEST(TransferIdentifier, FindsTwoParametersOfAStiffServo) {
  NominalTransfer stiff = kTableOne;
  stiff.load = 0.0;
  const Actuator real{.mass = 2.6,
                      .damping = 190.0,
                      .stiffness = 11500.0,
                      .load = 0.0,
                      .force = outer_force};
  const Outcome found = identify(real, two_tones, 8.0, stiff);
  EXPECT_FALSE(found.frozen);
  EXPECT_NEAR(found.ratios[0], (2.6 / 11500.0) / (2.2 / 13618.0), 2e-3);
  EXPECT_NEAR(found.ratios[1], (190.0 / 11500.0) / (150.8 / 13618.0), 2e-3);
  EXPECT_EQ(found.ratios[2], 1.0);
}

/// One tone tells two of three parameters at most; at rest nothing is told.
TEST(TransferIdentifier, IsFrozenWithoutExcitation) {
  const Actuator wrong{.damping = 200.0};
  const auto one_tone = [](double t) {
    return 4e-3 * std::sin(2 * kPi * 3.0 * t);
  };
  for (const auto& command : {std::function<double(double)>(one_tone),
                              std::function<double(double)>([](double) { return 0.0; })}) {
    const Outcome found = identify(wrong, command, 8.0);
    EXPECT_TRUE(found.frozen);
    EXPECT_TRUE((found.ratios.array() == 1.0).all()) << found.ratios;
  }
}

/// The motion ends after 6 s; what was found stays, however long it rests.
TEST(TransferIdentifier, KeepsWhatItFoundWhenTheMotionEnds) {
  const Actuator real{.damping = 190.0, .stiffness = 11500.0, .force = [](double t) {
                        return t < 6.0 ? outer_force(t) : 0.0;
                      }};
  const auto ending = [](double t) {
    return t < 6.0 ? two_tones(t) : 0.0;
  };
  const Outcome found = identify(real, ending, 60.0);
  EXPECT_TRUE(found.frozen);
  EXPECT_NEAR(found.ratios[1], (190.0 / 11500.0) / (150.8 / 13618.0), 5e-3);
}

TEST(TransferIdentifier, StaysWithinItsBounds) {
  const Actuator far{.damping = 600.0, .force = outer_force};
  const Outcome found = identify(far, two_tones, 8.0, kTableOne, {.bound = 0.3});
  EXPECT_FALSE(found.frozen);
  EXPECT_DOUBLE_EQ(found.ratios[1], 1.3);
}

/// Of an actuator that differs the command is x_d = z + a v' + b v + g F with the real
/// numbers, once they are used.
TEST(TransferIdentifier, CorrectsTheCommandByWhatItFound) {
  const Actuator real{.mass = 2.6,
                      .damping = 190.0,
                      .stiffness = 11500.0,
                      .load = 0.9,
                      .force = outer_force};
  TransferIdentifier identifier(kTableOne, kStep, {});
  Actuator moved = real;
  const double z = 1e-3, v = 0.1, rate = -2.0, force = 10.0;
  const double of_file = z + (2.2 * rate + 150.8 * v + force) / 13618.0;
  EXPECT_EQ(identifier.correction(of_file, z, v, force), 0.0);
  for (std::int64_t k = 0; k < 10000; ++k) {
    const double drive = two_tones(static_cast<double>(k) * kStep);
    moved.step(drive);
    identifier.add(drive, moved.x, moved.force(moved.t));
  }
  const double of_real = z + (2.6 * rate + 190.0 * v + 0.9 * force) / 11500.0;
  EXPECT_NEAR(of_file + identifier.correction(of_file, z, v, force), of_real, 5e-6);
  EXPECT_GT(std::abs(of_real - of_file), 1e-4);
}

TEST(TransferIdentifier, GoesOnFromASnapshotToTheBit) {
  TransferIdentifier one(kTableOne, kStep, {}), other(kTableOne, kStep, {});
  Actuator actuator{.damping = 190.0, .force = outer_force};
  const auto step = [&](std::int64_t k, auto&&... identifiers) {
    const double drive = two_tones(static_cast<double>(k) * kStep);
    actuator.step(drive);
    (identifiers.add(drive, actuator.x, actuator.force(actuator.t)), ...);
  };
  for (std::int64_t k = 0; k < 3000; ++k) step(k, one);
  SnapshotWriter written;
  one.save(written);
  SnapshotReader read(written.values());
  other.restore(read);
  EXPECT_TRUE(read.at_end());
  for (std::int64_t k = 3000; k < 4000; ++k) step(k, one, other);
  EXPECT_EQ(one.identified(), other.identified());
  EXPECT_EQ(one.used(), other.used());
  EXPECT_EQ(one.excitation(), other.excitation());
}

}  // namespace
}  // namespace trestle::bond_graph::transfer_identifier_test
