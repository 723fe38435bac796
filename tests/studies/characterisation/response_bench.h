#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "adapters/simulated/actuator_model.h"
#include "core/base/random.h"
#include "studies/characterisation/frequency_response_data.h"
#include "tests/studies/characterisation/control_tick.h"

namespace trestle::characterisation {

/// A chirp of amplitude 1 from rest to rest: what `model` makes of it, with noise.
inline FrequencyResponseData lines_of(simulated::ActuatorModel& model, double noise,
                                      std::uint64_t seed, double duration = 20.0,
                                      double lowest = 0.2, double highest = 20.0) {
  const auto moving = static_cast<std::size_t>(duration / kTick);
  const std::size_t samples = fast_samples(moving + 2048);
  std::vector<double> drive(samples, 0.0);
  std::vector<double> measured(samples, 0.0);
  model.prepare(kTick);
  ActuatorMotion stroke = ActuatorMotion::zero(1);
  for (std::size_t n = 0; n < samples; ++n) {
    const double t = static_cast<double>(n) * kTick;
    const double edge = std::min({1.0, t / 1.0, (duration - t) / 1.0});
    if (n < moving && edge > 0.0)
      drive[n] = std::sin(0.5 * std::numbers::pi * edge) *
                 std::sin(2.0 * std::numbers::pi *
                          (lowest * t + 0.5 * (highest - lowest) * t * t / duration));
    model.advance(ActuatorVector::Constant(1, drive[n]), stroke);
    measured[n] =
        stroke.displacement(0) +
        noise * standard_normal({.seed = seed, .stream = 1, .channel = 0, .index = n});
  }
  return response_lines(drive, measured, kTick, lowest, highest);
}

}  // namespace trestle::characterisation
