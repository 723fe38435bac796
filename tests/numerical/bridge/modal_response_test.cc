#include "numerical/bridge/modal_response.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "numerical/bridge/girders.h"

namespace trestle::bridge::modal_motion_test {
namespace {

constexpr double kPi = std::numbers::pi;

ShapeValues everywhere_one() {
  ShapeValues shapes;
  shapes.count = 1;
  shapes.value = shapes.slope = shapes.curvature = Eigen::VectorXd::Zero(1);
  shapes.value[0] = 1.0;
  return shapes;
}

ModalResponse oscillator(double omega, double ratio, double step,
                         ModalScheme scheme = ModalScheme::kExact) {
  return {Eigen::VectorXd::Constant(1, omega), Eigen::VectorXd::Constant(1, ratio), step,
          scheme};
}

// p = a t from rest: q = a/k (t − 2ζ/ω + e(...)), the textbook's ramp (Chopra, ch. 4).
double ramp_response(double omega, double ratio, double t) {
  const double root = std::sqrt(1.0 - ratio * ratio);
  const double fade = std::exp(-ratio * omega * t);
  return (t - 2.0 * ratio / omega +
          fade *
              (2.0 * ratio / omega * std::cos(omega * root * t) -
               (1.0 - 2.0 * ratio * ratio) / (omega * root) * std::sin(omega * root * t))) /
         (omega * omega);
}

TEST(ModalResponse, IsExactForAForceThatRises) {
  const ShapeValues one = everywhere_one();
  // Slow modes go by a series, fast ones are under-sampled; 1e-10 is the series' remainder.
  for (const double omega : {0.02, 3.9, 4.1, 42.0, 3000.0})
    for (const double ratio : {0.0, 0.02, 0.9}) {
      const double h = 1.0 / 1024.0;
      ModalResponse motion = oscillator(omega, ratio, h);
      for (int k = 1; k <= 500; ++k) {
        motion.begin();
        motion.add(one, k * h);
      }
      const Deflection q = motion.at(one, 0.0);
      const double exact = ramp_response(omega, ratio, 500 * h);
      EXPECT_NEAR(q.displacement, exact, 1e-9 * std::abs(exact) + 1e-10)
          << omega << " " << ratio;
      EXPECT_NEAR(
          q.acceleration,
          500 * h - 2.0 * ratio * omega * q.velocity - omega * omega * q.displacement,
          1e-9 * (1.0 + omega * omega * exact));
    }
}

TEST(ModalResponse, AverageAccelerationComesToTheSameWithTheSquareOfTheStep) {
  const ShapeValues one = everywhere_one();
  double errors[2];
  for (int fine = 0; fine < 2; ++fine) {
    const int steps = fine == 0 ? 200 : 400;
    const double h = 1.0 / steps;
    ModalResponse motion = oscillator(20.0, 0.05, h, ModalScheme::kAverageAcceleration);
    for (int k = 1; k <= steps; ++k) {
      motion.begin();
      motion.add(one, k * h);
    }
    errors[fine] =
        std::abs(motion.at(one, 0.0).displacement - ramp_response(20.0, 0.05, 1.0));
  }
  EXPECT_NEAR(errors[0] / errors[1], 4.0, 0.1);
}

/// A constant force over a simply supported span, undamped (Frýba 1999, sec. 1.3):
/// q = 2 F/(m L) (sin Ωt − Ω/ω sin ωt)/(ω² − Ω²), Ω = n π v/L, mode by mode.
class MovingForce {
 public:
  explicit MovingForce(int modes)
      : modes_(sine_modes({{{{kLength, 4.07583e11, kMass}}}, std::vector<PierSettings>(2)},
                          modes)) {}

  Deflection closed_form(double t) const {
    Deflection sum;
    for (Eigen::Index n = 0; n < modes_.frequency.size(); ++n) {
      const double w = modes_.frequency[n];
      const double slow = static_cast<double>(n + 1) * kPi * kSpeed / kLength;
      const double size = 2.0 * kForce / (kMass * kLength) / (w * w - slow * slow);
      const double q = size * (std::sin(slow * t) - slow / w * std::sin(w * t));
      const double dq = size * slow * (std::cos(slow * t) - std::cos(w * t));
      const double ddq = size * slow * (w * std::sin(w * t) - slow * std::sin(slow * t));
      const double S = std::sin(slow * t);
      const double C = slow * std::cos(slow * t);  // v dS/dx
      sum.displacement += S * q;
      sum.velocity += S * dq + C * q;
      sum.acceleration += S * ddq + 2.0 * C * dq - slow * slow * S * q;
    }
    return sum;
  }

  struct Errors {
    Deflection worst;
    Deflection peak;
  };

  /// Errors of the deflection under the force with `rate` steps a second.
  Errors errors(double rate) const {
    ModalResponse motion(modes_.frequency, Eigen::VectorXd::Zero(modes_.frequency.size()),
                         1.0 / rate, ModalScheme::kExact);
    ShapeValues shapes = modes_.shapes->room();
    Errors found;
    const auto keep = [](double& most, double value) {
      most = std::max(most, std::abs(value));
    };
    for (int k = 1; k / rate * kSpeed < kLength; ++k) {
      modes_.shapes->at(kSpeed * k / rate, shapes);
      motion.begin();
      motion.add(shapes, kForce);
      const Deflection under = motion.at(shapes, kSpeed);
      const Deflection exact = closed_form(k / rate);
      keep(found.worst.displacement, under.displacement - exact.displacement);
      keep(found.worst.velocity, under.velocity - exact.velocity);
      keep(found.worst.acceleration, under.acceleration - exact.acceleration);
      keep(found.peak.displacement, exact.displacement);
      keep(found.peak.velocity, exact.velocity);
      keep(found.peak.acceleration, exact.acceleration);
    }
    return found;
  }

 private:
  static constexpr double kLength = 32.0, kMass = 21427.25, kForce = 1e5,
                          kSpeed = 300.0 / 3.6;
  BridgeModes modes_;
};

// As the step goes to nothing the code is the closed form, to 1e-9; five modes.
TEST(ModalResponse, BridgeUnderAMovingForceIsTheClosedForm) {
  const MovingForce::Errors found = MovingForce(5).errors(1 << 20);
  EXPECT_LT(found.worst.displacement, 1e-9 * found.peak.displacement);
  EXPECT_LT(found.worst.velocity, 1e-9 * found.peak.velocity);
  EXPECT_LT(found.worst.acceleration, 1e-9 * found.peak.acceleration);
}

// The force of a mode goes as a sine and is taken for a straight line over the step: that
// leaves (Ω h)²/12 of it.
TEST(ModalResponse, HoldOfTheFirstOrderLeavesAPartOfTheMovingForce) {
  const MovingForce bridge(1);
  const double slow = kPi * 300.0 / 3.6 / 32.0;
  const double coarse = bridge.errors(1024).worst.displacement;
  EXPECT_LT(coarse,
            slow * slow / (1024.0 * 1024.0) / 6.0 * bridge.errors(1024).peak.displacement);
  EXPECT_NEAR(coarse / bridge.errors(2048).worst.displacement, 4.0, 0.05);
}

TEST(ModalResponse, ComplianceIsWhatAForceAdds) {
  const BridgeModes modes =
      sine_modes({{{{32.0, 4e11, 2e4}}}, std::vector<PierSettings>(2)}, 5);
  for (const ModalScheme scheme :
       {ModalScheme::kExact, ModalScheme::kAverageAcceleration}) {
    ModalResponse motion(modes.frequency, Eigen::VectorXd::Constant(5, 0.02), 1e-3, scheme);
    ShapeValues here = modes.shapes->room();
    ShapeValues there = modes.shapes->room();
    modes.shapes->at(10.0, here);
    modes.shapes->at(14.0, there);
    motion.begin();
    motion.add(here, 3e4);
    const Deflection before = motion.at(here, 50.0);
    const Deflection more = motion.compliance(here, 50.0, there);
    motion.add(there, 2e4);
    const Deflection after = motion.at(here, 50.0);
    EXPECT_NEAR(after.displacement, before.displacement + 2e4 * more.displacement, 1e-18);
    EXPECT_NEAR(after.velocity, before.velocity + 2e4 * more.velocity, 1e-15);
    EXPECT_NEAR(after.acceleration, before.acceleration + 2e4 * more.acceleration, 1e-11);
  }
}

TEST(ModalResponse, GoesOnFromItsSnapshot) {
  const ShapeValues one = everywhere_one();
  ModalResponse motion = oscillator(30.0, 0.02, 1e-3);
  motion.begin();
  motion.add(one, 5.0);
  SnapshotWriter writer;
  motion.save(writer);
  ModalResponse twin = oscillator(30.0, 0.02, 1e-3);
  SnapshotReader reader(writer.values());
  twin.restore(reader);
  EXPECT_TRUE(reader.at_end());
  for (ModalResponse* each : {&motion, &twin}) {
    each->begin();
    each->add(one, 6.0);
  }
  EXPECT_EQ(motion.at(one, 0.0).displacement, twin.at(one, 0.0).displacement);
}

}  // namespace
}  // namespace trestle::bridge::modal_motion_test
