#include "site-servers/node/rig_command.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "site-servers/node/agreed_limits.h"
#include "site-servers/node/spoken_quantity.h"
#include "site-servers/node/told_drive.h"

namespace trestle::site_node {
namespace {

using Action = RigRequest::Action;

constexpr double kLongestMotion = 3600.0;  // [s]
// Of a sine, so that its staircase of drives is one [ticks].
constexpr double kShortestPeriod = 16.0;

/// A value, or one sentence.
template <typename Value>
using Or = std::variant<Value, std::string>;

std::string of_actuator(const CommandedRig& rig, std::size_t i) {
  return " of actuator " + rig.actuators[i].name;
}

std::string said(double value, SpokenKind what, const CommandedRig& rig, std::size_t i) {
  return spoken_text(value, what, rig.actuators[i].kind);
}

std::string site_limit(const CommandedRig& rig, FaultKind kind, std::size_t i) {
  return format_own_limit(rig.settings, {kind, static_cast<int>(i), 0.0, 0.0});
}

const char* example(SpokenKind what, DofKind kind) {
  const bool turns = kind == DofKind::kRotation;
  if (what == SpokenKind::kForce) return turns ? "10kN.m" : "10kN";
  if (what == SpokenKind::kRate) return turns ? "1mrad/s" : "1mm/s";
  return turns ? "2mrad" : "2mm";
}

/// @returns the index, or one sentence
Or<int> actuator_of(const std::string& text, const CommandedRig& rig) {
  const std::size_t count = rig.actuators.size();
  if (text.empty() && count == 1) return 0;
  std::string names;
  for (std::size_t i = 0; i < count; ++i) {
    if (text == rig.actuators[i].name) return static_cast<int>(i);
    names += (names.empty() ? "" : ", ") + rig.actuators[i].name;
  }
  for (std::size_t i = 0; i < count; ++i)
    if (text == std::to_string(i + 1)) return static_cast<int>(i);
  return (text.empty()
              ? "a jog moves one actuator, and the rig has " + std::to_string(count)
              : "the rig has no actuator " + text) +
         "; give one of " + names + " (--actuator)";
}

/// One entry for all actuators, or one each. @param none  where no text is given
Or<ActuatorVector> entries(const std::string& text, const char* option, SpokenKind what,
                           const CommandedRig& rig, double none) {
  const std::size_t count = rig.actuators.size();
  ActuatorVector values = ActuatorVector::Constant(static_cast<Eigen::Index>(count), none);
  if (text.empty()) return values;
  const std::vector<std::string> given = spoken_list(text);
  if (given.size() != 1 && given.size() != count)
    return std::string(option) + " " + text + " has " + std::to_string(given.size()) +
           " numbers for " + std::to_string(count) +
           " actuators; give one for all or one each, with commas between them";
  for (std::size_t i = 0; i < count; ++i) {
    const std::string& entry = given.size() == 1 ? given.front() : given[i];
    const DofKind kind = rig.actuators[i].kind;
    const std::optional<double> value = read_spoken(entry, what, kind);
    if (!value || !(*value > 0.0))
      return std::string(option) + " " + entry + of_actuator(rig, i) +
             " is no number above zero with its unit; give one such as " +
             example(what, kind);
    values[static_cast<Eigen::Index>(i)] = *value;
  }
  return values;
}

/// A motion stays at half of the limit: the gate has the rest for what is unforeseen.
std::string refusal_of_rate(const ActuatorVector& rate, const CommandedRig& rig,
                            int actuator) {
  for (std::size_t i = 0; i < rig.actuators.size(); ++i) {
    const double most = RigPath::kShareOfLimit * rig.limits[i].rate;
    const double asked = rate[static_cast<Eigen::Index>(i)];
    if ((actuator >= 0 && static_cast<std::size_t>(actuator) != i) || asked <= most)
      continue;
    return "the rate " + said(asked, SpokenKind::kRate, rig, i) + of_actuator(rig, i) +
           " is above " + said(most, SpokenKind::kRate, rig, i) + ", half of its limit" +
           site_limit(rig, FaultKind::kRateLimit, i) + "; give less (--rate)";
  }
  return {};
}

/// "0.5Hz", "20 ms". @param units  names and their factors
std::optional<double> sine_number(
    const std::string& text,
    std::initializer_list<std::pair<std::string_view, double>> units) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || !std::isfinite(value)) return std::nullopt;
  std::string_view unit(end);
  unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
  for (const auto& [name, factor] : units)
    if (unit == name) return value * factor;
  return std::nullopt;
}

/// The peak of a sine stays at half of the limits, as that of every motion.
std::string refusal_of_sine(const StatedExercise& sine, const CommandedRig& rig) {
  for (std::size_t i = 0; i < rig.actuators.size(); ++i) {
    const double amplitude = sine.amplitude[static_cast<Eigen::Index>(i)];
    const double rate = RigSine::kPeakRate * amplitude / sine.period;
    const double most = RigPath::kShareOfLimit * rig.limits[i].rate;
    if (rate > most)
      return "the sine" + of_actuator(rig, i) + " would reach " +
             said(rate, SpokenKind::kRate, rig, i) + ", above " +
             said(most, SpokenKind::kRate, rig, i) + ", half of its limit" +
             site_limit(rig, FaultKind::kRateLimit, i) +
             "; give less (--amplitude, --frequency)";
    if (RigSine::kPeakAcceleration * amplitude / (sine.period * sine.period) >
        RigPath::kShareOfLimit * rig.limits[i].acceleration)
      return "the sine" + of_actuator(rig, i) +
             " would be above half of its limit of acceleration; give less (--amplitude, "
             "--frequency)";
  }
  return {};
}

/// Amplitudes, period, and what is stated of the rig. @returns one sentence, or empty
std::string read_exercise(const RigRequest& request, const CommandedRig& rig,
                          const CommandedRig& one, RigCommand& command) {
  StatedExercise& sine = command.exercise;
  if (request.amount.empty())
    return "state the amplitude of the sine: --amplitude 0.5mm (one for all actuators or "
           "one each)";
  if (request.force.empty())
    return "state the force at which the exercise ends in a hold: --force 10kN (one for "
           "all actuators or one each)";
  const Or<ActuatorVector> amplitude =
      entries(request.amount, "--amplitude", SpokenKind::kMotion, one, 0.0);
  if (const auto* why = std::get_if<std::string>(&amplitude)) return *why;
  const Or<ActuatorVector> noise =
      entries(request.noise, "--noise", SpokenKind::kMotion, one, ActuatorLimits::kNone);
  if (const auto* why = std::get_if<std::string>(&noise)) return *why;
  sine.amplitude = std::get<ActuatorVector>(amplitude);
  sine.noise = std::get<ActuatorVector>(noise);
  if (command.actuator >= 0)
    for (Eigen::Index i = 0; i < sine.amplitude.size(); ++i)
      if (i != command.actuator) sine.amplitude[i] = 0.0;
  const std::optional<double> frequency = sine_number(request.frequency, {{"Hz", 1.0}});
  if (!frequency || !(*frequency > 0.0))
    return "state the frequency of the sine: --frequency 0.5Hz";
  const double ticks = std::round(1.0 / (*frequency * rig.tick));
  if (!(ticks >= kShortestPeriod))
    return "the frequency " + request.frequency + " is above " +
           std::to_string(1.0 / (kShortestPeriod * rig.tick)).substr(0, 5) +
           " Hz, of which a period has 16 control ticks; give less (--frequency)";
  if (!(ticks * rig.tick <= kLongestMotion))
    return "a period of " + request.frequency +
           " takes longer than an hour; give more (--frequency)";
  sine.period = ticks * rig.tick;
  if (!request.delay.empty()) {
    const std::optional<double> delay =
        sine_number(request.delay, {{"s", 1.0}, {"ms", 1e-3}});
    if (!delay || !(*delay > 0.0))
      return "--delay " + request.delay + " is no time above zero; give one such as 20ms";
    sine.delay = *delay;
  }
  return refusal_of_sine(sine, rig);
}

std::string exercise_words(const RigCommand& command, const CommandedRig& rig) {
  std::string sizes, forces;
  for (std::size_t i = 0; i < rig.actuators.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    if (command.exercise.amplitude[at] > 0.0)
      sizes += (sizes.empty() ? "" : ", ") +
               said(command.exercise.amplitude[at], SpokenKind::kMotion, rig, i);
    if (std::isfinite(command.force[at]))
      forces += (forces.empty() ? "" : ", ") +
                said(command.force[at], SpokenKind::kForce, rig, i);
  }
  char frequency[40];
  std::snprintf(frequency, sizeof frequency, " at %.4g Hz, up to ",
                1.0 / command.exercise.period);
  const std::string whom =
      command.actuator < 0 ? " of all actuators"
                           : of_actuator(rig, static_cast<std::size_t>(command.actuator));
  return "exercise" + whom + " by " + sizes + frequency + forces;
}

std::string words_of(const RigCommand& command, const CommandedRig& rig) {
  if (command.action == Action::kExercise) return exercise_words(command, rig);
  const bool jogs = command.action == Action::kJog;
  std::string words = "return home of all actuators";
  if (jogs) {
    const auto i = static_cast<std::size_t>(command.actuator);
    words = "jog" + of_actuator(rig, i) + " by " +
            said(command.amount, SpokenKind::kMotion, rig, i);
  }
  std::string rates, forces;
  for (std::size_t i = 0; i < rig.actuators.size(); ++i) {
    if (jogs && static_cast<std::size_t>(command.actuator) != i) continue;
    const auto at = static_cast<Eigen::Index>(i);
    rates +=
        (rates.empty() ? "" : ", ") + said(command.rate[at], SpokenKind::kRate, rig, i);
    if (std::isfinite(command.force[at]))
      forces += (forces.empty() ? "" : ", ") +
                said(command.force[at], SpokenKind::kForce, rig, i);
  }
  words += " at " + rates;
  return forces.empty() ? words : words + ", up to " + forces;
}

/// A jog bounds the force of its actuator alone.
void keep_one(ActuatorVector& values, int actuator, double others) {
  for (Eigen::Index i = 0; i < values.size(); ++i)
    if (i != actuator) values[i] = others;
}

/// A drive that was read or typed wrong would reach the rig as a step. If the laboratory
/// states no tracking error, nothing else would find it.
std::string refusal_of_told(const ActuatorVector& told, const CommandedRig& rig,
                            const ActuatorVector& stands) {
  for (std::size_t i = 0; i < rig.actuators.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    const double off = std::abs(told[at] - stands[at]);
    if (std::isfinite(rig.limits[i].tracking_error) ||
        off <= checks::slack(rig.limits[i], rig.tick))
      continue;
    return "the drive " + said(told[at], SpokenKind::kMotion, rig, i) +
           of_actuator(rig, i) + " is " + said(off, SpokenKind::kMotion, rig, i) +
           " from where it stands, and the site's file has no limit of its tracking error "
           "that says whether that can be; state one (limits.actuators: tracking_error), "
           "or let the controller make where the rig stands its drive, and say: --drive "
           "measured";
  }
  return {};
}

/// The drive that the equipment has in force. A guess would reach the rig as a step.
Or<ActuatorVector> drive_before(const RigCommand& command, const CommandedRig& rig,
                                const RigBefore& before) {
  const ActuatorVector& stands = before.seen.displacement;
  if (!before.real) return stands;
  if (before.reported) {
    if (command.drive.empty()) return *before.reported;
    return "the equipment reports its drive in force (" +
           drive_text(*before.reported, rig.actuators) + "); leave --drive out";
  }
  if (!command.drive.empty()) {
    Or<ActuatorVector> told = told_drive(command.drive, rig.actuators, stands, rig.limits);
    if (const auto* drive = std::get_if<ActuatorVector>(&told))
      if (std::string why = refusal_of_told(*drive, rig, stands); !why.empty()) return why;
    return told;
  }
  if (before.stood) {
    const bool known =
        checks::is_doubtful(*before.stood)
            ? checks::stands_on(*before.stood, stands, rig.limits, rig.tick)
            : checks::still_stands(*before.stood, stands, rig.limits, rig.tick);
    if (known) return before.stood->drive;
  }
  return "nobody knows which drive the equipment has in force: it reports none, and " +
         (before.stood ? std::string("the rig does not stand where this site left it")
                       : std::string("this process has not driven it yet")) +
         "; it stands at " + drive_text(stands, rig.actuators) +
         ". Read the drive off the equipment's controller and say it with the command: "
         "--drive 14.94mm (one for each actuator, commas between them); or let the "
         "controller make where the rig stands its drive, and say: --drive measured";
}

/// @param where  "the drive in force takes", "the jog would take"
std::string refusal_of_place(const ActuatorVector& place, const CommandedRig& rig,
                             const std::string& where, const std::string& what_to_do) {
  for (std::size_t i = 0; i < rig.actuators.size(); ++i) {
    const double at = place[static_cast<Eigen::Index>(i)];
    const double most = rig.limits[i].displacement;
    if (std::abs(at) <= most) continue;
    return where + " actuator " + rig.actuators[i].name + " to " +
           said(at, SpokenKind::kMotion, rig, i) + ", beyond its limit " +
           said(most, SpokenKind::kMotion, rig, i) +
           site_limit(rig, FaultKind::kDisplacementLimit, i) + "; " + what_to_do;
  }
  return {};
}

std::string refusal_of_force(const RigCommand& command, const CommandedRig& rig,
                             const ActuatorVector& force) {
  for (std::size_t i = 0; i < rig.actuators.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    if (std::abs(force[at]) <= command.force[at]) continue;
    return "the force" + of_actuator(rig, i) + " is " +
           said(force[at], SpokenKind::kForce, rig, i) + " already, beyond the stated " +
           said(command.force[at], SpokenKind::kForce, rig, i) +
           "; state more (--force), or take the load off by the equipment's own means";
  }
  return {};
}

}  // namespace

std::variant<RigCommand, std::string> read_rig_command(const RigRequest& request,
                                                       const CommandedRig& rig) {
  RigCommand command;
  command.action = request.action;
  command.drive = request.drive;
  const bool jogs = request.action == Action::kJog;
  const bool swings = request.action == Action::kExercise;
  if (!swings && request.rate.empty())
    return std::string("state the largest rate of the motion: --rate 1mm/s");
  if (!jogs && !swings && request.force.empty())
    return std::string(
        "state the force at which the return home ends in a hold: --force 10kN (one for "
        "all actuators or one each)");
  if (jogs || (swings && !request.actuator.empty())) {
    const Or<int> actuator = actuator_of(request.actuator, rig);
    if (const auto* why = std::get_if<std::string>(&actuator)) return *why;
    command.actuator = std::get<int>(actuator);
  }
  if (jogs) {
    const DofKind kind = rig.actuators[static_cast<std::size_t>(command.actuator)].kind;
    const std::optional<double> amount =
        read_spoken(request.amount, SpokenKind::kMotion, kind);
    if (!amount || *amount == 0.0)
      return "--by " + request.amount + " is no way with its unit; give one such as " +
             example(SpokenKind::kMotion, kind) + " or -" +
             example(SpokenKind::kMotion, kind);
    command.amount = *amount;
  }
  // Rate, amplitude and force of a motion of one actuator are those of that actuator.
  CommandedRig one{rig.settings, rig.actuators, rig.limits, rig.tick};
  if (command.actuator >= 0)
    for (ActuatorDescription& each : one.actuators)
      each.kind = rig.actuators[static_cast<std::size_t>(command.actuator)].kind;
  Or<ActuatorVector> rate = entries(request.rate, "--rate", SpokenKind::kRate, one, 0.0);
  if (const auto* why = std::get_if<std::string>(&rate)) return *why;
  Or<ActuatorVector> force =
      entries(request.force, "--force", SpokenKind::kForce, one, ActuatorLimits::kNone);
  if (const auto* why = std::get_if<std::string>(&force)) return *why;
  command.rate = std::get<ActuatorVector>(rate);
  command.force = std::get<ActuatorVector>(force);
  if (command.actuator >= 0)
    keep_one(command.force, command.actuator, ActuatorLimits::kNone);
  if (swings) {
    if (std::string why = read_exercise(request, rig, one, command); !why.empty())
      return why;
  } else if (std::string why = refusal_of_rate(command.rate, rig, command.actuator);
             !why.empty()) {
    return why;
  }
  command.words = words_of(command, rig);
  return command;
}

std::variant<RigMotionTask, std::string> plan_motion(const RigCommand& command,
                                                     const CommandedRig& rig,
                                                     const RigBefore& before) {
  const Or<ActuatorVector> drive = drive_before(command, rig, before);
  if (const auto* why = std::get_if<std::string>(&drive)) return *why;
  const ActuatorVector& from = std::get<ActuatorVector>(drive);
  const bool swings = command.action == Action::kExercise;
  ActuatorVector to = ActuatorVector::Zero(from.size());
  if (swings) to = from;
  if (command.action == Action::kJog) {
    to = from;
    to[command.actuator] += command.amount;
  }
  if (std::string why = refusal_of_place(
          from, rig, "the drive in force takes",
          "a rig that stands there is brought back by the equipment's own means");
      !why.empty())
    return why;
  if (std::string why =
          refusal_of_place(to, rig, "the jog would take", "jog by less (--by)");
      !why.empty())
    return why;
  for (const double side : {-1.0, 1.0})
    if (std::string why =
            swings ? refusal_of_place(from + side * command.exercise.amplitude, rig,
                                      "the sine would take",
                                      "give less (--amplitude), or move the rig first")
                   : std::string();
        !why.empty())
      return why;
  if (std::string why = refusal_of_force(command, rig, before.seen.force); !why.empty())
    return why;
  ActuatorVector rate = command.rate;
  // Those that a jog leaves where they are have no way, whatever their rate.
  if (command.action == Action::kJog) keep_one(rate, command.actuator, 1.0);
  if (swings) rate = ActuatorVector::Ones(from.size());
  RigPath path(from, to, rate, rig.limits, rig.tick);
  RigMotionTask task{std::move(path), before.seen.displacement, command.force};
  if (swings)
    task.sine.emplace(from, command.exercise.amplitude,
                      std::llround(command.exercise.period / rig.tick));
  if (const double takes = rig.tick * static_cast<double>(task.ticks());
      takes > kLongestMotion)
    return "the motion would take " + std::to_string(std::lround(takes / 60.0)) +
           " min; a person can hold it for at most " +
           std::to_string(std::lround(kLongestMotion / 60.0)) +
           " min: state a larger rate (--rate) or frequency (--frequency), or limits that "
           "allow it";
  return task;
}

}  // namespace trestle::site_node
