// The part of StartupChecks that makes sentences.
#include <cmath>
#include <cstdio>

#include "core/session/fault_text.h"
#include "site-servers/checks/startup_checks.h"

namespace trestle {
namespace {

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

std::string motion(double value, DofKind kind) {
  return number(value * 1e3) + (kind == DofKind::kRotation ? " mrad" : " mm");
}

std::string force(double value, DofKind kind) {
  return number(value * 1e-3) + (kind == DofKind::kRotation ? " kN.m" : " kN");
}

}  // namespace

std::string StartupChecks::name(int actuator) const {
  const ActuatorDescription& described = actuators_[static_cast<std::size_t>(actuator)];
  return "actuator " +
         (described.name.empty() ? std::to_string(actuator + 1) : described.name);
}

// NOLINTNEXTLINE(readability-function-size): a sentence to each finding
std::string StartupChecks::refusal() const {
  const Finding& found = finding_;
  if (found.what == CheckResult::kNothing) return {};
  if (found.what == CheckResult::kAdapter)
    return "start-up check: the rig's own protection acted, or it gave no fresh "
           "measurement; "
           "look at the rig";
  if (found.what == CheckResult::kGateFault)
    return "start-up check: " + format_fault(found.fault, {}, actuators_) +
           (moving_ < 0
                ? " although the rig is at rest; bring it inside its limits, or look "
                  "at the transducer"
                : " while " + name(moving_) + " moved by " +
                      motion(travel_, actuators_[static_cast<std::size_t>(moving_)].kind) +
                      " and back; it holds there. Look at the rig, or give a "
                      "smaller start_checks.polarity_motion");
  const std::string who = name(found.actuator);
  const DofKind kind = actuators_[static_cast<std::size_t>(found.actuator)].kind;
  const std::string moved = "start-up check: " + who + " moved by " + motion(travel_, kind);
  const auto other = [&](auto unit, const char* transducer) -> std::string {
    if (found.other < 0) return {};
    return "; the " + std::string(transducer) + " of " + name(found.other) +
           " changed by " +
           unit(found.other_value, actuators_[static_cast<std::size_t>(found.other)].kind) +
           ": are their cables swapped?";
  };
  switch (found.what) {
    case CheckResult::kZeroDisplacement:
      return "start-up check: " + who + " reads " + motion(found.value, kind) +
             " at rest, more than the " + motion(found.limit, kind) +
             " of start_checks.zero_displacement; bring it to its zero, or zero its "
             "displacement transducer";
    case CheckResult::kZeroForce:
      return "start-up check: " + who + " reads " + force(found.value, kind) +
             " at rest, more than the " + force(found.limit, kind) +
             " of start_checks.zero_force; take the load off, or zero the load cell";
    case CheckResult::kDisplacementAway:
      return moved + ", its displacement changed by " + motion(found.value, kind) +
             ": look at the sign of the displacement transducer or its cable" +
             other(motion, "displacement transducer");
    case CheckResult::kDisplacementNone:
      return moved + ", its displacement transducer did not feel it (" +
             motion(found.value, kind) + ", noise " + motion(found.limit, kind) +
             "); look at the transducer, its cable, the hydraulics" +
             other(motion, "displacement transducer");
    case CheckResult::kForceAway:
      return moved + ", the force changed by " + force(found.value, kind) +
             ": a specimen that resists gives a force of the sign of its motion; look at "
             "the sign of the load cell or its cable" +
             other(force, "load cell");
    case CheckResult::kForceNone:
      return moved + ", its load cell did not feel it (" + force(found.value, kind) +
             ", noise " + force(found.limit, kind) +
             "); look at the load cell, its cable and the specimen's connection, or give a "
             "larger start_checks.polarity_motion" +
             other(force, "load cell");
    case CheckResult::kNothing:
    case CheckResult::kAdapter:
    case CheckResult::kGateFault:
      break;
  }
  return {};
}

}  // namespace trestle
