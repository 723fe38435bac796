#include "core/session/fault_text.h"

#include <cmath>
#include <cstdio>

namespace trestle::session {
namespace {

struct Unit {
  double factor;  ///< from SI to the unit shown
  const char* name;
};

Unit motion_unit(DofKind kind) {
  return kind == DofKind::kRotation ? Unit{1e3, "mrad"} : Unit{1e3, "mm"};
}
Unit rate_unit(DofKind kind) {
  return kind == DofKind::kRotation ? Unit{1e3, "mrad/s"} : Unit{1e3, "mm/s"};
}
Unit acceleration_unit(DofKind kind) {
  return kind == DofKind::kRotation ? Unit{1.0, "rad/s2"} : Unit{1.0, "m/s2"};
}
Unit force_unit(DofKind kind) {
  return kind == DofKind::kRotation ? Unit{1e-3, "kN.m"} : Unit{1e-3, "kN"};
}

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string above(const char* what, const std::string& where, const Fault& fault,
                  Unit unit) {
  std::string value = number(fault.value * unit.factor);
  std::string limit = number(fault.limit * unit.factor);
  // Six digits are enough to read, unless they hide the difference.
  if (value == limit) value = "just over " + value;
  return std::string(what) + " " + value + " " + unit.name + " at " + where +
         " is above its limit " + limit + " " + unit.name;
}

}  // namespace

std::string format_fault(const Fault& fault, const InterfaceLayout& layout,
                         const std::vector<ActuatorDescription>& actuators) {
  const auto index = static_cast<std::size_t>(fault.index < 0 ? 0 : fault.index);
  const bool one = fault.index >= 0;
  const bool known = one && index < actuators.size();
  const std::string actuator = known ? "actuator " + actuators[index].name
                                     : (one ? "actuator " + std::to_string(fault.index + 1)
                                            : std::string("the rig"));
  const DofKind kind = known ? actuators[index].kind : DofKind::kTranslation;
  switch (fault.kind) {
    case FaultKind::kNone:
      return "no fault";
    case FaultKind::kNotFinite:
      return "a number that is not finite at " + actuator;
    case FaultKind::kDisplacementLimit:
      return above("displacement", actuator, fault, motion_unit(kind));
    case FaultKind::kRateLimit:
      return above("rate", actuator, fault, rate_unit(kind));
    case FaultKind::kAccelerationLimit:
      return above("acceleration", actuator, fault, acceleration_unit(kind));
    case FaultKind::kForceLimit:
      return above("force", actuator, fault, force_unit(kind));
    case FaultKind::kTrackingError:
      return above("tracking error", actuator, fault, motion_unit(kind));
    case FaultKind::kTargetLimit: {
      const bool named = one && index < layout.size();
      return above("target", named ? layout[index].name : "an interface DOF", fault,
                   motion_unit(named ? layout[index].kind : DofKind::kTranslation));
    }
    case FaultKind::kAdapter:
      return "the rig's own protection acted, or it gave no fresh measurement";
    case FaultKind::kPeerSilent:
      return "no valid message for " + number(fault.value) + " s; the watchdog allows " +
             number(fault.limit) + " s";
    case FaultKind::kJournal:
      return "the record can no longer be kept";
    case FaultKind::kStopped:
      return "stopped";
    case FaultKind::kOverrun:
      return "control ticks come too late, the last by " + number(fault.value * 1e3) +
             " ms, with " + number(fault.limit * 1e3) +
             " ms allowed; see what `trestle doctor` says of this host";
    case FaultKind::kStalled:
      return "the control loop has not completed a cycle for " + number(fault.value * 1e3) +
             " ms, with " + number(fault.limit * 1e3) + " ms allowed";
    case FaultKind::kSuspended:
      return "the host was suspended for " + number(fault.value) +
             " s while the test ran; switch off sleep and hibernation on this host";
    case FaultKind::kUnknownDrive:
      return "nobody knows which drive the equipment has in force";
    case FaultKind::kInterlock:
      return "interlock " + std::to_string(fault.index + 1) +
             " of the site's file was active; see to the equipment";
    case FaultKind::kEnergyError:
      return "energy error " + number(fault.value * 1e2) + " % at " + actuator +
             " is above its limit " + number(fault.limit * 1e2) +
             " %: late motion feeds the specimen, the loop is about to diverge";
  }
  return "unknown fault";
}

std::string with_words_of_rig(const Fault& fault, const std::string& sentence,
                              const std::string& words) {
  if (words.empty()) return sentence;
  switch (fault.kind) {
    case FaultKind::kAdapter:
      return words;
    case FaultKind::kInterlock:
      // During a ramp the contact may be closed again, and the words are of something else.
      return words.starts_with("interlock ") ? words : sentence;
    case FaultKind::kOverrun:
    case FaultKind::kStalled:
      return sentence + "; " + words;
    default:
      return sentence;
  }
}

std::string refused_target_sentence(const Fault& fault, const InterfaceLayout& layout,
                                    const std::vector<ActuatorDescription>& actuators) {
  const auto index = static_cast<std::size_t>(fault.index < 0 ? 0 : fault.index);
  if (fault.kind == FaultKind::kNotFinite && index < layout.size())
    return "the target of " + layout[index].name + " is not a number";
  if (fault.kind != FaultKind::kDisplacementLimit || fault.index < 0)
    return format_fault(fault, layout, actuators);
  const bool known = index < actuators.size();
  const Unit unit = motion_unit(known ? actuators[index].kind : DofKind::kTranslation);
  std::string value = number(fault.value * unit.factor);
  const std::string limit = number(fault.limit * unit.factor);
  if (value == limit) value = "just over " + value;
  return "the target would take actuator " +
         (known ? actuators[index].name : std::to_string(fault.index + 1)) + " to " +
         value + " " + unit.name + ", above its limit " + limit + " " + unit.name;
}

}  // namespace trestle::session
