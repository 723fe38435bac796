#pragma once

#include <cmath>
#include <deque>
#include <limits>
#include <numbers>
#include <vector>

#include "core/base/random.h"
#include "core/ports/compensator.h"

namespace trestle::testing {

/// A transfer system whose inverse is known: saturation, a first-order lag that is exact
/// for a held command, a gain, a pure delay; and a transducer with noise.
struct TrialRig {
  int delay = 0;  ///< [ticks]
  double gain = 1.0;
  double lag = 0.0;  ///< time constant [s]
  double noise = 0.0;
  double limit = std::numeric_limits<double>::infinity();
};

struct Trial {
  double tick = 1.0 / 1024.0;
  double duration = 12.0;  // [s]
  double quiet = 0.0;      ///< no motion until then [s]
  double scale = 1.0;      ///< of the motion; 0: none
  TrialRig rig{};
  double changes_at = std::numeric_limits<double>::infinity();
  TrialRig later{};  ///< the rig from then on
  double feedforward = 0.0;
};

/// The targets and the positions of the specimen, without the noise.
struct Track {
  double tick = 0.0;
  std::vector<double> target;
  std::vector<double> reached;  ///< at the read that answers the target of the same tick

  /// Root mean square of the error over that of the target.
  /// @param early  ticks by which the specimen should be there before the answer
  double error(double from, double to, int early = 0) const {
    double error = 0.0;
    double size = 0.0;
    const auto begin = static_cast<std::size_t>(from / tick);
    const auto end = static_cast<std::size_t>(to / tick);
    for (std::size_t n = begin; n < end && n < target.size(); ++n) {
      error += std::pow(reached[n - static_cast<std::size_t>(early)] - target[n], 2);
      size += target[n] * target[n];
    }
    return std::sqrt(error / size);
  }
};

/// A motion of three tones, the sort an earthquake leaves on a first storey.
inline ActuatorMotion trial_target(double t) {
  struct Tone {
    double amplitude, frequency, phase;
  };
  ActuatorMotion target = ActuatorMotion::zero(1);
  if (t < 0.0) return target;
  for (const auto [amplitude, frequency, phase] :
       {Tone{0.004, 1.1, 0.0}, Tone{0.003, 2.3, 0.4}, Tone{0.0007, 4.1, 2.0}}) {
    const double omega = 2.0 * std::numbers::pi * frequency;
    target.displacement[0] +=
        amplitude * (std::sin(omega * t + phase) - std::sin(phase) * std::exp(-5.0 * t));
    target.velocity[0] += amplitude * (omega * std::cos(omega * t + phase) +
                                       5.0 * std::sin(phase) * std::exp(-5.0 * t));
    target.acceleration[0] -= amplitude * (omega * omega * std::sin(omega * t + phase) +
                                           25.0 * std::sin(phase) * std::exp(-5.0 * t));
  }
  return target;
}

/// Runs one actuator as a control loop does: read, command, hold for one tick.
inline Track run(Compensator& compensator, const Trial& trial) {
  Track track{.tick = trial.tick, .target = {}, .reached = {}};
  ActuatorVector measured = ActuatorVector::Zero(1);
  ActuatorVector command = ActuatorVector::Zero(1);
  std::deque<double> pipe(2000, 0.0);
  double displacement = 0.0;
  const int ticks = static_cast<int>(trial.duration / trial.tick);
  for (int n = 0; n < ticks; ++n) {
    const TrialRig& rig = n * trial.tick < trial.changes_at ? trial.rig : trial.later;
    ActuatorMotion target = trial_target(n * trial.tick - trial.quiet);
    target.displacement *= trial.scale;
    target.velocity *= trial.scale;
    target.acceleration *= trial.scale;
    command = compensator.command(target, measured, command);
    command *= 1.0 + trial.feedforward;
    const double held = std::min(std::max(command[0], -rig.limit), rig.limit);
    displacement = rig.lag > 0.0 ? displacement + (1.0 - std::exp(-trial.tick / rig.lag)) *
                                                      (rig.gain * held - displacement)
                                 : rig.gain * held;
    pipe.push_front(displacement);
    pipe.pop_back();
    const double reached = pipe[static_cast<std::size_t>(rig.delay)];
    track.target.push_back(target.displacement[0]);
    track.reached.push_back(reached);
    measured[0] = reached;
    if (rig.noise > 0.0)
      measured[0] += rig.noise * standard_normal({.seed = 11,
                                                  .stream = 1,
                                                  .channel = 0,
                                                  .index = static_cast<std::uint64_t>(n)});
  }
  return track;
}

}  // namespace trestle::testing
