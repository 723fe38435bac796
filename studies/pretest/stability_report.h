#pragma once

#include <string>
#include <vector>

#include "studies/pretest/delay_margin.h"

namespace trestle::pretest {

/// One actuator as the stability check knows it.
struct LateActuator {
  std::string site;
  int number = 0;      ///< at its site, from 1
  double delay = 0.0;  ///< of slow motion, its controller included, compensation not [s]
  /// The same behind its compensator as that starts, negative where it leads: what tracking
  /// shows at first. Later than that by d, the loop's margin is smaller by d.
  double left = 0.0;
};

/// A closed loop near rest.
struct ClosedLoopStability {
  double spectral_radius = 0.0;  ///< per step
  bool stable = false;
  double frequency = 0.0;  ///< of the motion of that radius, of the wall [Hz]
  DelayMargin margin{};    ///< if all actuators are later by the same
  std::vector<DelayMargin> per_actuator{};  ///< if one alone is; in the report's order
};

/// At one stiffness of the specimens.
struct StabilityCase {
  double stiffness_part = 1.0;  ///< of the initial one, the smallest over the sites
  ClosedLoopStability
      compensated{};  ///< compensators with the coefficients that they start with
  ClosedLoopStability uncompensated{};
  /// The delay of otherwise ideal actuators that would be too much, without compensation;
  /// 0: any is.
  DelayMargin critical{};
  /// Ideal actuators without any delay are too late: the answers of `latency_steps` are, or
  /// the split itself is unstable.
  bool unstable_already = false;
};

/// The results about a test's stability before it runs.
struct StabilityReport {
  bool known = false;
  std::string why{};  ///< not known: one sentence; else what is approximate, or empty
  int states = 0;     ///< of the loop as configured
  bool compensates = false;    ///< any site has a compensator
  std::string compensators{};  ///< their kinds: "ats", "ats, none"
  int latency_steps = 0;       ///< by which real-time mode uses answers later
  double latency = 0.0;        ///< the same in wall time [s]
  std::vector<LateActuator> actuators{};
  std::vector<StabilityCase> cases{};  ///< initial stiffness first

  /// Stable as configured, in every case. @pre known
  bool stable() const noexcept {
    for (const StabilityCase& one : cases)
      if (!one.compensated.stable) return false;
    return true;
  }
};

}  // namespace trestle::pretest
