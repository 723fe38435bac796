#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <deque>
#include <limits>
#include <numbers>
#include <vector>

#include "core/base/random.h"
#include "core/math/sampled_system.h"
#include "core/math/transfer_matrix.h"
#include "core/math/zeros_poles_gain.h"
#include "core/ports/actuator_controller.h"

namespace trestle::testing {

inline constexpr double kTick = 1.0 / 1024.0;

/// The transfer system of the multi-axial benchmark (Condori Uribe et al. 2023); the nine
/// uncertain parameters as multiples of their standard deviation, gains at rest kept.
inline math::StateSpace benchmark_plant(const std::array<double, 9>& n = {}) {
  using Roots = std::vector<std::complex<double>>;
  constexpr double kHertz = 2.0 * std::numbers::pi;
  const auto entry = [](int to, int from, const Roots& zeros, const Roots& poles,
                        double at_rest) {
    std::complex<double> gain = at_rest;
    for (const auto& pole : poles) gain *= -pole;
    for (const auto& zero : zeros) gain /= -zero;
    return math::TransferEntry{to, from, {zeros, poles, gain.real()}};
  };
  const double pair = kHertz * (1.0 + 0.05 * n[4]);
  const std::complex<double> up(-50.0 * pair, 63.0 * pair);
  const Roots zeros1{-120.0 * kHertz * (1.0 + 0.055 * n[0]),
                     -90.0 * kHertz * (1.0 + 0.055 * n[1])};
  const Roots poles1{up, std::conj(up), -2.65 * kHertz * (1.0 + 0.06 * n[2]),
                     -40.0 * kHertz * (1.0 + 0.06 * n[3])};
  const Roots poles2{up, std::conj(up), -3.5 * kHertz * (1.0 + 0.03 * n[6]),
                     -18.5 * kHertz * (1.0 + 0.03 * n[7])};
  return math::realise(
      {entry(0, 0, zeros1, poles1, 0.86381158), entry(1, 0, zeros1, poles1, 0.13961337),
       entry(0, 1, {-3.0 * kHertz * (1.0 + 0.03 * n[5])}, poles2, 0.13106996),
       entry(1, 1, {-5.0 * kHertz * (1.0 + 0.03 * n[8])}, poles2, 0.92579194)},
      2, 2, {"1", "2", "3", "4"});
}

/// gain / (1 + s/pole), pole in [rad/s].
inline math::StateSpace first_order(double pole, double gain = 1.0) {
  return math::realise(
      math::ZerosPolesGain{.zeros = {}, .poles = {-pole}, .gain = gain * pole}, "p");
}

/// A plant with sensors under a controller, tick by tick.
class ServoLoop {
 public:
  /// @param delay  of the drives before the plant, in ticks
  ServoLoop(const math::StateSpace& plant, ActuatorController& controller, int delay = 0)
      : plant_(plant, kTick, math::Discretisation::kRungeKuttaHold),
        controller_(controller),
        sensed_(Measurement::zero(plant.outputs())),
        drive_(ActuatorVector::Zero(plant.outputs())),
        on_the_way_(static_cast<std::size_t>(delay), drive_) {}

  /// What the sensors say at this tick, however often they are asked.
  const ActuatorVector& sense() {
    sensed_.displacement = plant_.output();
    for (Eigen::Index i = 0; i < sensed_.displacement.size(); ++i)
      if (noise > 0.0)
        sensed_.displacement(i) +=
            noise * standard_normal({7, 0, static_cast<std::uint64_t>(i), count_});
    return sensed_.displacement;
  }

  /// One tick with the command of its beginning. @returns what the sensors said then
  const ActuatorVector& tick(const ActuatorVector& command) {
    sense();
    ++count_;
    drive_ = controller_.drive(command, sensed_);
    ActuatorVector reaching = drive_;
    for (double& value : reaching) value = std::clamp(value, -saturation, saturation);
    on_the_way_.push_back(reaching);
    reaching = on_the_way_.front();
    on_the_way_.pop_front();
    plant_.advance(reaching);
    return sensed_.displacement;
  }

  void become(const math::StateSpace& plant) {
    plant_ = math::SampledSystem(plant, kTick, math::Discretisation::kRungeKuttaHold);
  }

  const ActuatorVector& drive() const { return drive_; }
  const Eigen::VectorXd& displacement() const { return plant_.output(); }

  double noise = 0.0;  ///< standard deviation
  double saturation = std::numeric_limits<double>::infinity();

 private:
  math::SampledSystem plant_;
  ActuatorController& controller_;
  Measurement sensed_;
  ActuatorVector drive_;
  std::deque<ActuatorVector> on_the_way_;
  std::uint64_t count_ = 0;
};

}  // namespace trestle::testing
