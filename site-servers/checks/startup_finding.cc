#include "site-servers/checks/startup_finding.h"

#include <cstdio>

#include "core/session/fault_text.h"

namespace trestle::checks {
namespace {

using What = StartupFinding::What;

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

/// The sentences of one finding.
class Sentence {
 public:
  Sentence(const StartupFinding& found, const std::vector<ActuatorDescription>& actuators)
      : found_(found), actuators_(actuators) {}

  std::string of_gate() const {
    const std::string limit = session::format_fault(found_.fault, {}, actuators_);
    if (found_.moving < 0)
      return limit +
             " although the rig is at rest; bring it inside its limits, or look at the "
             "transducer";
    return limit + " while " + name(found_.moving) + " moved by " +
           motion(found_.travel, kind_of_dof(found_.moving)) +
           " and back; it holds there. Look at the rig, or give a smaller "
           "start_checks.polarity_motion";
  }

  std::string of_rest() const {
    const std::string who = name(found_.actuator);
    const DofKind kind = kind_of_dof(found_.actuator);
    if (found_.what == What::kZeroDisplacement)
      return who + " reads " + motion(found_.value, kind) + " at rest, more than the " +
             motion(found_.limit, kind) +
             " of start_checks.zero_displacement; bring it to its zero, or zero its "
             "displacement transducer";
    return who + " reads " + force(found_.value, kind) + " at rest, more than the " +
           force(found_.limit, kind) +
           " of start_checks.zero_force; take the load off, or zero the load cell";
  }

  std::string of_displacement() const {
    const DofKind kind = kind_of_dof(found_.actuator);
    const std::string other = other_transducer(motion, "displacement transducer");
    if (found_.what == What::kDisplacementAway)
      return moved() + ", its displacement changed by " + motion(found_.value, kind) +
             ": look at the sign of the displacement transducer or its cable" + other;
    return moved() + ", its displacement transducer did not feel it (" +
           motion(found_.value, kind) + ", noise " + motion(found_.limit, kind) +
           "); look at the transducer, its cable, the hydraulics" + other;
  }

  std::string of_force() const {
    const DofKind kind = kind_of_dof(found_.actuator);
    const std::string other = other_transducer(force, "load cell");
    if (found_.what == What::kForceAway)
      return moved() + ", the force changed by " + force(found_.value, kind) +
             ": a specimen that resists gives a force of the sign of its motion; look at "
             "the sign of the load cell or its cable" +
             other;
    return moved() + ", its load cell did not feel it (" + force(found_.value, kind) +
           ", noise " + force(found_.limit, kind) +
           "); look at the load cell, its cable and the specimen's connection, or give a "
           "larger start_checks.polarity_motion" +
           other;
  }

 private:
  const ActuatorDescription& described(int actuator) const {
    return actuators_[static_cast<std::size_t>(actuator)];
  }
  DofKind kind_of_dof(int actuator) const { return described(actuator).kind; }
  std::string name(int actuator) const {
    const std::string& given = described(actuator).name;
    return "actuator " + (given.empty() ? std::to_string(actuator + 1) : given);
  }
  std::string moved() const {
    return name(found_.actuator) + " moved by " +
           motion(found_.travel, kind_of_dof(found_.actuator));
  }
  std::string other_transducer(std::string (*unit)(double, DofKind),
                               const char* transducer) const {
    if (found_.other < 0) return {};
    return "; the " + std::string(transducer) + " of " + name(found_.other) +
           " changed by " + unit(found_.other_value, kind_of_dof(found_.other)) +
           ": are their cables swapped?";
  }

  const StartupFinding& found_;
  const std::vector<ActuatorDescription>& actuators_;
};

}  // namespace

std::string refusal_of(const StartupFinding& found,
                       const std::vector<ActuatorDescription>& actuators) {
  const Sentence sentence(found, actuators);
  const std::string check = "start-up check: ";
  switch (found.what) {
    case What::kNothing:
      break;
    case What::kAdapter:
      return check +
             "the rig's own protection acted, or it gave no fresh measurement; look at the "
             "rig";
    case What::kInterlock:
      return check + "an interlock of the rig is active";
    case What::kGateFault:
      return check + sentence.of_gate();
    case What::kZeroDisplacement:
    case What::kZeroForce:
      return check + sentence.of_rest();
    case What::kDisplacementAway:
    case What::kDisplacementNone:
      return check + sentence.of_displacement();
    case What::kForceAway:
    case What::kForceNone:
      return check + sentence.of_force();
  }
  return {};
}

}  // namespace trestle::checks
