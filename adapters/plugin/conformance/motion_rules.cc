// Rules about the motion and the force of a simulated rig.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "adapters/plugin/conformance/rule_checks.h"

namespace trestle::conformance {
namespace {

/// The measurement of a rig that was driven to a position and left there.
struct Rest {
  double displacement = 0.0;
  double force = 0.0;
  double after_prepare = 0.0;  ///< displacement at the first read of the next run
};

/// The first actuator's; the others are driven as it is.
Rest rest_after_drive(RuleChecks& checks, RigUnderTest& rig) {
  const std::vector<double> place(rig.is().actuators, checks.settings.amplitude);
  const trestle_sensed& sensed = rig.reading().sensed();
  Rest rest;
  rig.prepare(checks.tick, 1);
  for (int n = 0; n < checks.settings.ticks; ++n) {
    rig.read(checks.time_of(n));
    // Smoothly from zero in the first half.
    const double part = std::min(1.0, 2.0 * n / checks.settings.ticks);
    std::vector<double> drive = place;
    for (double& value : drive) value *= part;
    rig.write(drive);
  }
  rig.read(checks.time_of(checks.settings.ticks));
  rest.displacement = sensed.displacement[0];
  rest.force = sensed.force[0];
  rig.prepare(checks.tick, 1);
  rig.read(0);
  rest.after_prepare = sensed.displacement[0];
  return rest;
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

}  // namespace

void check_motion(RuleChecks& checks) {
  const char* const goes = "goes where the drive says";
  const char* const resists = "its force is in the direction of its displacement: +k d";
  const char* const rests = "is at rest at zero after prepare, wherever it was before";
  if (checks.real) {
    checks.leave("R3", resists, "real equipment is not driven here");
    checks.leave("R10", rests, "of simulated rigs only");
    return checks.leave("R13", goes, "real equipment is not driven here");
  }
  RigUnderTest rig(checks.table, checks.settings.settings, checks.clock);
  const Rest rest = rest_after_drive(checks, rig);
  const double asked = checks.settings.amplitude;
  // A specimen that gives way, a sensor's noise: half of it is far beyond both.
  const std::string went = number(rest.displacement) + " of " + number(asked);
  const bool there = std::abs(rest.displacement - asked) <= 0.5 * std::abs(asked);
  checks.add("R13", goes, there ? "" : "it went to " + went, went);
  if (rest.force == 0.0)
    checks.leave("R3", resists, "no force: nothing is in the rig");
  else
    checks.add(
        "R3", resists,
        rest.force * rest.displacement > 0.0
            ? ""
            : "a force of " + number(rest.force) + " at " + number(rest.displacement),
        "k = " + number(rest.force / rest.displacement));
  checks.add("R10", rests,
             std::abs(rest.after_prepare) <= 0.5 * std::abs(asked)
                 ? ""
                 : "it is at " + number(rest.after_prepare));
}

}  // namespace trestle::conformance
