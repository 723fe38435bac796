#include "site-servers/checks/limit_self_test.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>

namespace trestle::checks {
namespace {

constexpr double kBeyond = 1.0 + 1e-6;
// Largest dwell time [ticks].
constexpr double kMostTicks = 1e7;
constexpr const char* kBroken = "; do not run: this program is broken";

/// One actuator's turn in front of copies of the gate.
class Trial {
 public:
  Trial(const safety::SafetyGate& gate, const safety::EnergyErrorMonitor& energy,
        Eigen::Index actuators, Eigen::Index actuator)
      : gate_(gate), energy_(energy), actuators_(actuators), actuator_(actuator) {}

  /// A drive from rest at another.
  bool holds_back(double from, double drive) const {
    safety::SafetyGate gate = gate_;
    gate.reset(only(from));
    const Measurement still{only(from), only(0.0)};
    return gate.pass(only(drive), still) == only(from) && gate.fault();
  }

  bool stops_at(const Measurement& sensed) const {
    safety::SafetyGate gate = gate_;
    gate.reset(only(0.0));
    return !gate.watch(sensed);
  }

  bool stops_behind(double measured, std::int64_t ticks) const {
    safety::SafetyGate gate = gate_;
    gate.reset(only(0.0));
    const Measurement late{only(measured), only(0.0)};
    for (std::int64_t n = 0; n < ticks && !gate.fault(); ++n) gate.pass(only(0.0), late);
    return static_cast<bool>(gate.fault());
  }

  /// A spring of one newton per metre that moves a metre in one tick, with the given delay.
  bool finds_late(double way, double late) const {
    safety::EnergyErrorMonitor energy = energy_;
    energy.reset();
    const ActuatorVector zero = only(0.0);
    return !energy.add(only(way * late), zero, zero) &&
           energy.add(only(way * (1.0 + late)), only(way), only(way));
  }

  /// Zero everywhere else.
  ActuatorVector only(double value) const {
    ActuatorVector values = ActuatorVector::Zero(actuators_);
    values[actuator_] = value;
    return values;
  }

 private:
  const safety::SafetyGate& gate_;
  const safety::EnergyErrorMonitor& energy_;
  Eigen::Index actuators_;
  Eigen::Index actuator_;
};

/// The name of the first limit that lets through what is beyond it.
const char* open_limit(const Trial& trial, const ActuatorLimits& limits, double tick) {
  const auto stated = [](double limit) {
    return limit < ActuatorLimits::kNone;
  };
  const double none = std::numeric_limits<double>::quiet_NaN();
  const double dwell = std::min(std::ceil(limits.tracking_dwell / tick) + 2.0, kMostTicks);
  const ActuatorVector zero = trial.only(0.0);
  for (const double way : {1.0, -1.0}) {
    const double beyond = way * kBeyond;
    if (stated(limits.displacement) &&
        !trial.holds_back(way * limits.displacement, beyond * limits.displacement))
      return "displacement";
    if (stated(limits.rate) && !trial.holds_back(0.0, beyond * limits.rate * tick))
      return "rate";
    if (stated(limits.acceleration) &&
        !trial.holds_back(0.0, beyond * limits.acceleration * tick * tick))
      return "acceleration";
    if (stated(limits.force) && !trial.stops_at({zero, trial.only(beyond * limits.force)}))
      return "force";
    if (stated(limits.tracking_error) &&
        !trial.stops_behind(beyond * limits.tracking_error,
                            static_cast<std::int64_t>(dwell)))
      return "tracking_error";
    if (stated(limits.energy_error) &&
        !trial.finds_late(way, kBeyond * limits.energy_error))
      return "energy_error";
  }
  if (!trial.holds_back(0.0, none) || !trial.stops_at({trial.only(none), zero}) ||
      !trial.stops_at({zero, trial.only(none)}))
    return "number that is none";
  return nullptr;
}

}  // namespace

std::string run_limit_self_test(const safety::SafetyGate& gate,
                                const safety::EnergyErrorMonitor& energy,
                                const RigLimits& agreed,
                                const std::vector<ActuatorDescription>& actuators,
                                double tick) {
  const auto count = static_cast<Eigen::Index>(agreed.size());
  for (Eigen::Index i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const char* const open = open_limit(Trial(gate, energy, count, i), agreed[at], tick);
    if (open == nullptr) continue;
    return "limits rehearsal: the safety gate lets through what is beyond the agreed " +
           std::string(open) + " of actuator " +
           (at < actuators.size() ? actuators[at].name : std::to_string(i + 1)) + kBroken;
  }
  return {};
}

std::string run_limit_self_test(
    const InterfaceLayout& agreed,
    const std::function<Fault(const InterfaceVector& target)>& judge) {
  const auto count = static_cast<Eigen::Index>(controlled_dofs(agreed));
  for (Eigen::Index i = 0; i < count; ++i) {
    const InterfaceDof& dof = agreed[static_cast<std::size_t>(i)];
    InterfaceVector target = InterfaceVector::Zero(count);
    for (const double beyond :
         {kBeyond * dof.displacement_limit, -kBeyond * dof.displacement_limit,
          std::numeric_limits<double>::quiet_NaN()}) {
      target[i] = beyond;
      const Fault fault = judge(target);
      if (fault && fault.index == static_cast<int>(i)) continue;
      return "limits rehearsal: the site would follow a target beyond the agreed limit "
             "of " +
             dof.name + kBroken;
    }
  }
  return {};
}

std::string run_limit_self_test(
    const LoadingFrame& frame, const RigLimits& agreed,
    const std::vector<ActuatorDescription>& actuators,
    const std::function<Fault(const InterfaceVector& target)>& judge) {
  const auto count = static_cast<Eigen::Index>(agreed.size());
  for (Eigen::Index i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double limit = agreed[at].displacement;
    if (limit == ActuatorLimits::kNone) continue;
    for (const double beyond : {kBeyond * limit, -kBeyond * limit}) {
      ActuatorVector stroke = ActuatorVector::Zero(count);
      stroke[i] = beyond;
      const InterfaceVector target = frame.to_interface(stroke);
      const bool there = std::abs(frame.to_actuators(target)[i]) > limit;
      if (!there || judge(target)) continue;
      return "limits rehearsal: the site would follow a target that takes actuator " +
             (at < actuators.size() ? actuators[at].name : std::to_string(i + 1)) +
             " beyond its agreed displacement" + kBroken;
    }
  }
  return {};
}

}  // namespace trestle::checks
