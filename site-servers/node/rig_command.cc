#include "site-servers/node/rig_command.h"

#include <cmath>
#include <utility>

#include "site-servers/node/agreed_limits.h"
#include "site-servers/node/spoken_quantity.h"
#include "site-servers/node/told_drive.h"

namespace trestle::site_node {
namespace {

using Action = RigRequest::Action;

constexpr double kLongestMotion = 3600.0;  // [s]

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

std::string words_of(const RigCommand& command, const CommandedRig& rig) {
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
  if (request.rate.empty())
    return std::string("state the largest rate of the motion: --rate 1mm/s");
  if (!jogs && request.force.empty())
    return std::string(
        "state the force at which the return home ends in a hold: --force 10kN (one for "
        "all actuators or one each)");
  if (jogs) {
    const Or<int> actuator = actuator_of(request.actuator, rig);
    if (const auto* why = std::get_if<std::string>(&actuator)) return *why;
    command.actuator = std::get<int>(actuator);
    const DofKind kind = rig.actuators[static_cast<std::size_t>(command.actuator)].kind;
    const std::optional<double> amount =
        read_spoken(request.amount, SpokenKind::kMotion, kind);
    if (!amount || *amount == 0.0)
      return "--by " + request.amount + " is no way with its unit; give one such as " +
             example(SpokenKind::kMotion, kind) + " or -" +
             example(SpokenKind::kMotion, kind);
    command.amount = *amount;
  }
  // A jog's rate and force are those of its actuator.
  CommandedRig one{rig.settings, rig.actuators, rig.limits, rig.tick};
  if (jogs)
    for (ActuatorDescription& each : one.actuators)
      each.kind = rig.actuators[static_cast<std::size_t>(command.actuator)].kind;
  Or<ActuatorVector> rate = entries(request.rate, "--rate", SpokenKind::kRate, one, 0.0);
  if (const auto* why = std::get_if<std::string>(&rate)) return *why;
  Or<ActuatorVector> force =
      entries(request.force, "--force", SpokenKind::kForce, one, ActuatorLimits::kNone);
  if (const auto* why = std::get_if<std::string>(&force)) return *why;
  command.rate = std::get<ActuatorVector>(rate);
  command.force = std::get<ActuatorVector>(force);
  if (jogs) keep_one(command.force, command.actuator, ActuatorLimits::kNone);
  if (std::string why = refusal_of_rate(command.rate, rig, command.actuator); !why.empty())
    return why;
  command.words = words_of(command, rig);
  return command;
}

std::variant<RigMotionTask, std::string> plan_motion(const RigCommand& command,
                                                     const CommandedRig& rig,
                                                     const RigBefore& before) {
  const Or<ActuatorVector> drive = drive_before(command, rig, before);
  if (const auto* why = std::get_if<std::string>(&drive)) return *why;
  const ActuatorVector& from = std::get<ActuatorVector>(drive);
  ActuatorVector to = ActuatorVector::Zero(from.size());
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
  if (std::string why = refusal_of_force(command, rig, before.seen.force); !why.empty())
    return why;
  ActuatorVector rate = command.rate;
  // Those that a jog leaves where they are have no way, whatever their rate.
  if (command.action == Action::kJog) keep_one(rate, command.actuator, 1.0);
  RigPath path(from, to, rate, rig.limits, rig.tick);
  if (const double takes = rig.tick * static_cast<double>(path.ticks());
      takes > kLongestMotion)
    return "the motion would take " + std::to_string(std::lround(takes / 60.0)) +
           " min; a person can hold it for at most " +
           std::to_string(std::lround(kLongestMotion / 60.0)) +
           " min: state a larger rate (--rate), or limits that allow it";
  return RigMotionTask{std::move(path), before.seen.displacement, command.force};
}

}  // namespace trestle::site_node
