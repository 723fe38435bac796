#include "site-servers/safety/limit_rehearsal.h"

#include <cmath>
#include <cstdio>
#include <limits>

#include "site-servers/safety/energy_watch.h"
#include "site-servers/safety/safety_gate.h"

namespace trestle {
namespace {

constexpr double kInside = 1.0 - 1e-6;
constexpr double kOutside = 1.0 + 1e-6;
// Longer dwells protect nothing, and would hold up the arming.
constexpr double kLongestDwell = 1e7;  // [ticks]

/// An actuator with one limit alone, and the value that is tried against it.
struct Trial {
  RigLimits limits;
  Eigen::Index actuator;
  double tick;
  double value;

  ActuatorVector zero() const {
    return ActuatorVector::Zero(static_cast<Eigen::Index>(limits.size()));
  }
  ActuatorVector at(double number) const {
    ActuatorVector values = zero();
    values[actuator] = number;
    return values;
  }
};

Fault try_drive(const Trial& trial, double drive) {
  SafetyGate gate(trial.limits, trial.tick);
  gate.pass(trial.at(drive), {trial.zero(), trial.zero()});
  return gate.fault();
}

Fault try_displacement(const Trial& trial) {
  return try_drive(trial, trial.value);
}

Fault try_rate(const Trial& trial) {
  return try_drive(trial, trial.value * trial.tick);
}

Fault try_acceleration(const Trial& trial) {
  return try_drive(trial, trial.value * trial.tick * trial.tick);
}

Fault try_force(const Trial& trial) {
  SafetyGate gate(trial.limits, trial.tick);
  gate.watch({trial.zero(), trial.at(trial.value)});
  return gate.fault();
}

Fault try_tracking(const Trial& trial) {
  SafetyGate gate(trial.limits, trial.tick);
  const double dwell =
      trial.limits[static_cast<std::size_t>(trial.actuator)].tracking_dwell / trial.tick;
  if (!(dwell <= kLongestDwell)) return {};
  const Sensed off{trial.at(trial.value), trial.zero()};
  for (double tick = 1.0; tick <= dwell * (1.0 + 1e-9); tick += 1.0)
    gate.pass(trial.zero(), off);
  if (gate.fault()) return {FaultKind::kTrackingError, -1, 0.0, 0.0};  // too early
  gate.pass(trial.zero(), off);
  return gate.fault();
}

/// One unit of displacement under one of force takes up one unit, half of it stored.
Fault try_energy(const Trial& trial) {
  EnergyWatch energy(trial.limits, trial.tick);
  energy.add(trial.zero(), trial.zero(), trial.zero());
  return energy.add(trial.at(1.0 + 2.0 * trial.value), trial.at(1.0), trial.at(1.0));
}

struct Kind {
  double ActuatorLimits::*member;
  const char* words;
  FaultKind fault;
  Fault (*attempt)(const Trial& trial);
};

constexpr Kind kKinds[] = {
    {&ActuatorLimits::displacement, "displacement", FaultKind::kDisplacementLimit,
     try_displacement},
    {&ActuatorLimits::rate, "rate", FaultKind::kRateLimit, try_rate},
    {&ActuatorLimits::acceleration, "acceleration", FaultKind::kAccelerationLimit,
     try_acceleration},
    {&ActuatorLimits::force, "force", FaultKind::kForceLimit, try_force},
    {&ActuatorLimits::tracking_error, "tracking error", FaultKind::kTrackingError,
     try_tracking},
    {&ActuatorLimits::energy_error, "energy error", FaultKind::kEnergyError, try_energy}};

std::string sentence(const char* words, std::size_t actuator, double limit,
                     const char* what) {
  char text[160];
  std::snprintf(text, sizeof text, "the %s limit of actuator %zu, %.6g, does not act: %s",
                words, actuator + 1, limit, what);
  return text;
}

std::string rehearse(const Kind& kind, const RigLimits& limits, std::size_t actuator,
                     double tick) {
  const double limit = limits[actuator].*kind.member;
  if (limit == ActuatorLimits::kNone) return {};
  Trial trial{RigLimits(limits.size()), static_cast<Eigen::Index>(actuator), tick,
              kInside * limit};
  trial.limits[actuator].*kind.member = limit;
  trial.limits[actuator].tracking_dwell = limits[actuator].tracking_dwell;
  if (kind.attempt(trial))
    return sentence(kind.words, actuator, limit, "what is just inside it trips");
  trial.value = kOutside * limit;
  const Fault fault = kind.attempt(trial);
  if (!fault)
    return sentence(kind.words, actuator, limit, "what is just outside it passes");
  if (fault.kind != kind.fault || fault.index != static_cast<int>(actuator))
    return sentence(kind.words, actuator, limit, "something else trips in its place");
  return {};
}

std::string rehearse_numbers(const RigLimits& limits, std::size_t actuator, double tick) {
  const Trial trial{limits, static_cast<Eigen::Index>(actuator), tick, 0.0};
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity()}) {
    if (try_drive(trial, bad).kind != FaultKind::kNotFinite ||
        try_force({limits, trial.actuator, tick, bad}).kind != FaultKind::kNotFinite)
      return "a value that is not finite passes at actuator " +
             std::to_string(actuator + 1);
  }
  return {};
}

}  // namespace

std::string rehearse_limits(const RigLimits& limits, double tick) {
  const SafetyGate checked(limits, tick);
  for (std::size_t actuator = 0; actuator < limits.size(); ++actuator) {
    if (std::string why = rehearse_numbers(limits, actuator, tick); !why.empty())
      return why;
    for (const Kind& kind : kKinds)
      if (std::string why = rehearse(kind, limits, actuator, tick); !why.empty())
        return why;
  }
  return {};
}

}  // namespace trestle
