#include "site-servers/checks/startup_finding.h"

#include <cmath>
#include <cstdio>

#include "core/session/fault_text.h"

namespace trestle {
namespace {

using Result = StartupFinding::Result;
using Actuators = std::vector<ActuatorDescription>;

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

std::string length(double value, DofKind kind) {
  return number(value * 1e3) + (kind == DofKind::kRotation ? " mrad" : " mm");
}

std::string force(double value, DofKind kind) {
  return number(value * 1e-3) + (kind == DofKind::kRotation ? " kN.m" : " kN");
}

DofKind kind_of_actuator(int actuator, const Actuators& actuators) {
  return actuators[static_cast<std::size_t>(actuator)].kind;
}

std::string name_of(int actuator, const Actuators& actuators) {
  const ActuatorDescription& described = actuators[static_cast<std::size_t>(actuator)];
  return "actuator " +
         (described.name.empty() ? std::to_string(actuator + 1) : described.name);
}

std::string gate_sentence(const StartupFinding& found, const StartupMotion& motion,
                          const Actuators& actuators) {
  return "start-up check: " + format_fault(found.fault, {}, actuators) +
         (motion.actuator < 0
              ? " although the rig is at rest; bring it inside its limits, or look "
                "at the transducer"
              : " while " + name_of(motion.actuator, actuators) + " moved by " +
                    length(motion.travel, kind_of_actuator(motion.actuator, actuators)) +
                    " and back; it holds there. Look at the rig, or give a "
                    "smaller start_checks.polarity_motion");
}

/// Of what the rig reads at rest.
std::string zero_sentence(const StartupFinding& found, const Actuators& actuators) {
  const std::string who = name_of(found.actuator, actuators);
  const DofKind kind = kind_of_actuator(found.actuator, actuators);
  switch (found.what) {
    case Result::kZeroDisplacement:
      return "start-up check: " + who + " reads " + length(found.value, kind) +
             " at rest, more than the " + length(found.limit, kind) +
             " of start_checks.zero_displacement; bring it to its zero, or zero its "
             "displacement transducer";
    case Result::kZeroForce:
      return "start-up check: " + who + " reads " + force(found.value, kind) +
             " at rest, more than the " + force(found.limit, kind) +
             " of start_checks.zero_force; take the load off, or zero the load cell";
    default:
      return {};
  }
}

/// Of what an actuator and its transducers did while it was moved.
std::string motion_sentence(const StartupFinding& found, double travel,
                            const Actuators& actuators) {
  const std::string who = name_of(found.actuator, actuators);
  const DofKind kind = kind_of_actuator(found.actuator, actuators);
  const std::string moved = "start-up check: " + who + " moved by " + length(travel, kind);
  const auto other = [&](auto unit, const char* transducer) -> std::string {
    if (found.other < 0) return {};
    return "; the " + std::string(transducer) + " of " + name_of(found.other, actuators) +
           " changed by " +
           unit(found.other_value, kind_of_actuator(found.other, actuators)) +
           ": are their cables swapped?";
  };
  switch (found.what) {
    case Result::kDisplacementAway:
      return moved + ", its displacement changed by " + length(found.value, kind) +
             ": look at the sign of the displacement transducer or its cable" +
             other(length, "displacement transducer");
    case Result::kDisplacementNone:
      return moved + ", its displacement transducer did not feel it (" +
             length(found.value, kind) + ", noise " + length(found.limit, kind) +
             "); look at the transducer, its cable, the hydraulics" +
             other(length, "displacement transducer");
    case Result::kForceAway:
      return moved + ", the force changed by " + force(found.value, kind) +
             ": a specimen that resists gives a force of the sign of its motion; look at "
             "the sign of the load cell or its cable" +
             other(force, "load cell");
    case Result::kForceNone:
      return moved + ", its load cell did not feel it (" + force(found.value, kind) +
             ", noise " + force(found.limit, kind) +
             "); look at the load cell, its cable and the specimen's connection, or give a "
             "larger start_checks.polarity_motion" +
             other(force, "load cell");
    default:
      return {};
  }
}

}  // namespace

std::string format_refusal(const StartupFinding& found, const StartupMotion& motion,
                           const std::vector<ActuatorDescription>& actuators) {
  switch (found.what) {
    case Result::kNothing:
      return {};
    case Result::kAdapter:
      return "start-up check: the rig's own protection acted, or it gave no fresh "
             "measurement; "
             "look at the rig";
    case Result::kGateFault:
      return gate_sentence(found, motion, actuators);
    case Result::kZeroDisplacement:
    case Result::kZeroForce:
      return zero_sentence(found, actuators);
    case Result::kDisplacementAway:
    case Result::kDisplacementNone:
    case Result::kForceAway:
    case Result::kForceNone:
      break;
  }
  return motion_sentence(found, motion.travel, actuators);
}

}  // namespace trestle
