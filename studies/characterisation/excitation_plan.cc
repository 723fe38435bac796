#include "studies/characterisation/excitation_plan.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "core/base/setting_error.h"
#include "studies/characterisation/motion_signal.h"

namespace trestle::characterisation {
namespace {

constexpr double kRest = 2.0;       // before, between and after [s]
constexpr double kBump = 1.0;       // of the polarity's motion [s]
constexpr double kBumpSize = 0.25;  // of the amplitude
constexpr double kRise = 0.1;       // of the step, at least [s]
constexpr double kHold = 1.0;       // of the step [s]
constexpr double kStepRate = 0.5;   // of the limit
constexpr double kFewestLines = 50.0;
// Below this many ticks per cycle the hold hides what the rig does.
constexpr double kTicksPerCycle = 8.0;

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

std::string motion(double value, DofKind kind, const char* per = "") {
  return number(1e3 * value) + (kind == DofKind::kRotation ? " mrad" : " mm") + per;
}

void check_settings(const CharacteriseSettings& settings, const RigDescription& rig) {
  const std::string here = "characterise.";
  if (settings.tick < rig.shortest_tick)
    throw SettingError(here + "control_tick", "is " + number(1e3 * settings.tick) +
                                                  " ms; the rig needs at least " +
                                                  number(1e3 * rig.shortest_tick) + " ms");
  if (!(settings.lowest < settings.highest))
    throw SettingError(here + "highest", "is " + number(settings.highest) +
                                             " Hz; must be above lowest, " +
                                             number(settings.lowest) + " Hz");
  const double most = 1.0 / (kTicksPerCycle * settings.tick);
  if (settings.highest > most)
    throw SettingError(here + "highest", "is " + number(settings.highest) +
                                             " Hz; a control tick of " +
                                             number(1e3 * settings.tick) +
                                             " ms allows up to " + number(most) + " Hz");
  const double lines = (settings.highest - settings.lowest) * settings.duration;
  if (lines < kFewestLines)
    throw SettingError(here + "duration",
                       "is " + number(settings.duration) + " s; this band needs at least " +
                           number(kFewestLines / (settings.highest - settings.lowest)) +
                           " s");
  if (settings.lowest * settings.duration < 2.0)
    throw SettingError(here + "duration", "is " + number(settings.duration) +
                                              " s; the lowest frequency needs at least " +
                                              number(2.0 / settings.lowest) + " s");
}

class PlanChecks {
 public:
  PlanChecks(const CharacteriseSettings& settings, const RigLimits& limits,
             const std::vector<ActuatorDescription>& actuators, const LoadingFrame& frame,
             const ActuatorVector& position)
      : settings_(settings),
        limits_(limits),
        actuators_(actuators),
        frame_(frame),
        position_(position) {}

  void add(const ExcitationSegment& move, const std::string& what) {
    const auto i = static_cast<std::size_t>(move.actuator);
    const DofKind kind = actuators_[i].kind;
    const std::string path = "limits.actuators[" + std::to_string(i) + "].";
    const std::string actuator = "actuator " + actuators_[i].name;
    const double stands = std::abs(position_(move.actuator));
    const double reach = stands + motion::largest(move.offsets);
    if (!(reach <= limits_[i].displacement))
      problems_.push_back({path + "displacement",
                           what + " would take " + actuator + " to " + motion(reach, kind) +
                               "; its limit is " + motion(limits_[i].displacement, kind) +
                               (stands < limits_[i].displacement
                                    ? "; make its amplitude less than " +
                                          motion(limits_[i].displacement - stands, kind)
                                    : "; it stands beyond it")});
    const double rate = motion::largest_rate(move.offsets, settings_.tick);
    if (!(rate <= limits_[i].rate))
      problems_.push_back(
          {path + "rate",
           what + " would move " + actuator + " at " + motion(rate, kind, "/s") +
               "; its limit is " + motion(limits_[i].rate, kind, "/s") +
               "; make its amplitude " +
               motion(settings_.amplitude[i] * limits_[i].rate / rate, kind) +
               " or less, or characterise.highest lower"});
    add_targets(move, what);
  }

  void done() {
    if (!problems_.empty()) throw SettingError(std::move(problems_));
  }

 private:
  /// The file of a site names DOFs that only a test gives: as many as the loading frame has
  /// are taken in their order, else the least of them for all.
  void add_targets(const ExcitationSegment& move, const std::string& what) {
    if (settings_.target_limits.empty()) return;
    ActuatorVector strokes = position_;
    const double reach = motion::largest(move.offsets);
    for (const double offset : {-reach, reach}) {
      strokes(move.actuator) = position_(move.actuator) + offset;
      const InterfaceVector target = frame_.to_interface(strokes);
      for (Eigen::Index j = 0; j < target.size(); ++j) {
        const double limit = target_limit(static_cast<std::size_t>(j), target.size());
        if (std::abs(target(j)) <= limit) continue;
        problems_.push_back({"limits.interface",
                             what + " of actuator " +
                                 actuators_[static_cast<std::size_t>(move.actuator)].name +
                                 " would take interface DOF " + std::to_string(j + 1) +
                                 " to " + number(std::abs(target(j))) +
                                 " m | rad; its limit is " + number(limit) +
                                 "; make characterise.amplitude smaller"});
        return;
      }
    }
  }

  double target_limit(std::size_t dof, Eigen::Index dofs) const {
    const std::vector<double>& given = settings_.target_limits;
    if (given.size() == static_cast<std::size_t>(dofs)) return given[dof];
    return *std::min_element(given.begin(), given.end());
  }

  const CharacteriseSettings& settings_;
  const RigLimits& limits_;
  const std::vector<ActuatorDescription>& actuators_;
  const LoadingFrame& frame_;
  const ActuatorVector& position_;
  std::vector<SettingIssue> problems_;
};

}  // namespace

ExcitationPlan make_plan(const CharacteriseSettings& settings, const RigLimits& limits,
                         const RigDescription& rig) {
  check_settings(settings, rig);
  const double tick = settings.tick;
  const motion::Band band{settings.lowest, settings.highest};
  ExcitationPlan plan;
  plan.rest = {0, motion::pad_with_rest({0.0}, kRest, tick)};
  plan.step_rise = kRise;
  plan.step_hold = kHold;
  for (std::size_t i = 0; i < settings.amplitude.size(); ++i)  // 1.5: of 3s² − 2s³
    plan.step_rise = std::max(plan.step_rise,
                              1.5 * settings.amplitude[i] / (kStepRate * limits[i].rate));
  for (std::size_t i = 0; i < settings.amplitude.size(); ++i) {
    const int actuator = static_cast<int>(i);
    const double amplitude = settings.amplitude[i];
    plan.polarity.push_back(
        {actuator,
         motion::pad_with_rest(motion::raised_cosine(kBumpSize * amplitude, kBump, tick),
                               1.0, tick)});
    plan.step.push_back(
        {actuator, motion::pad_with_rest(
                       motion::smooth_step(amplitude, plan.step_rise, plan.step_hold, tick),
                       kRest, tick)});
    std::vector<double> signal =
        settings.noise ? motion::band_noise(amplitude, band, settings.duration, tick,
                                            settings.seed + i)
                       : motion::chirp(amplitude, band, settings.duration, tick);
    plan.signal.push_back(
        {actuator, motion::pad_with_rest(std::move(signal), kRest, tick)});
  }
  return plan;
}

void check_plan(const ExcitationPlan& plan, const CharacteriseSettings& settings,
                const RigLimits& limits, const std::vector<ActuatorDescription>& actuators,
                const LoadingFrame& frame, const ActuatorVector& position) {
  PlanChecks checks(settings, limits, actuators, frame, position);
  for (std::size_t i = 0; i < plan.signal.size(); ++i) {
    checks.add(plan.polarity[i], "the first motion");
    checks.add(plan.step[i], "the step");
    checks.add(plan.signal[i], settings.noise
                                   ? std::string("the noise")
                                   : "the chirp to " + number(settings.highest) + " Hz");
  }
  checks.done();
}

}  // namespace trestle::characterisation
