#include "site-servers/node/drive_question.h"

#include <variant>

#include "core/session/audit_actions.h"

namespace trestle::site_node {
namespace {

constexpr const char* kNotInForce =
    "which the equipment may not have in force any more: it stopped by itself, was moved "
    "by its own means, or did not receive it";

/// Why the last drive on record is not in force.
const char* doubt_of(const std::optional<DriveInForce>& last) {
  if (!last) return "and later ones may have been lost with the power";
  return checks::is_doubtful(*last) ? kNotInForce : "from where it has been moved since";
}

}  // namespace

void DriveQuestion::ask(const ActuatorVector& measured, const ActuatorVector& last) {
  asked_ = UnknownDrive{measured, last, kNotInForce};
}

bool DriveQuestion::find(InterruptedSession& past, const ActuatorVector& measured) {
  if (!past.driven) return true;
  if (checks::reported_drive(parts_.rig.guard().drive_in_force(), measured.size()))
    return true;
  if (told_before(past, measured)) return true;
  if (may_trust(past.drive, measured)) return true;
  const std::optional<DriveInForce>& last = past.drive ? past.drive : past.older_drive;
  asked_ = UnknownDrive{measured, std::nullopt, doubt_of(past.drive)};
  if (last) asked_->last = last->drive;
  return false;
}

/// A person stated it while no process drove the rig, and nothing has moved the rig since.
bool DriveQuestion::told_before(InterruptedSession& past,
                                const ActuatorVector& measured) const {
  const std::optional<ToldDrive>& told = parts_.settings.earlier.drive;
  const std::optional<DriveInForce>& stood = parts_.loop.stood();
  const bool driven_since = !told || !stood || stood->drive.size() != told->drive.size() ||
                            stood->drive != told->drive ||
                            stood->measured != told->measured;
  if (driven_since || past.told) return false;
  if (!checks::still_stands(*stood, measured, parts_.agreed.configured.limits,
                            parts_.agreed.tick()))
    return false;
  past.drive = stood;
  past.told = true;
  parts_.record.audit_after_close(
      session::audit_override(told->by, session::kOperatorChannel, "drive in force",
                              drive_text(told->drive, parts_.agreed.actuators)));
  return true;
}

bool DriveQuestion::may_trust(std::optional<DriveInForce>& given,
                              const ActuatorVector& measured) const {
  if (!given) return false;
  const RigLimits& limits = parts_.agreed.configured.limits;
  const double tick = parts_.agreed.tick();
  if (!checks::is_doubtful(*given))
    return checks::still_stands(*given, measured, limits, tick);
  if (!checks::stands_on(*given, measured, limits, tick)) return false;
  given->measured = measured;
  return true;
}

std::optional<AskedDrive> DriveQuestion::asked() const {
  if (!asked_) return std::nullopt;
  return AskedDrive{parts_.agreed.actuators, asked_->measured,
                    parts_.agreed.configured.limits};
}

std::string DriveQuestion::sentence(bool alone) const {
  return unknown_drive_text(*asked_, parts_.settings.name, alone, parts_.agreed.actuators);
}

std::string DriveQuestion::answer(const std::string& by, const std::string& drive) {
  told_.resize(0);
  const SiteSession& session = parts_.session;
  // If the test is over, no answer is needed.
  if (drive.empty() && !session.interrupted() && !session.live()) asked_.reset();
  if (drive.empty() && !asked_) return {};
  if (!asked_)
    return "nobody asks for the drive in force here; trestle clear " +
           parts_.settings.name + " without --drive finds out whether it is known";
  if (drive.empty()) return session.reason();
  const auto told = told_drive(drive, parts_.agreed.actuators, asked_->measured,
                               parts_.agreed.configured.limits);
  if (const auto* why = std::get_if<std::string>(&told)) return *why;
  const ActuatorVector& value = std::get<ActuatorVector>(told);
  keep(value);
  parts_.record.audit_after_close(
      session::audit_override(by, session::kOperatorChannel, "drive in force",
                              drive_text(value, parts_.agreed.actuators)));
  asked_.reset();
  return {};
}

void DriveQuestion::keep(const ActuatorVector& drive) {
  std::optional<InterruptedSession>& past = parts_.session.interrupted();
  const DriveInForce stands{drive, drive, drive, asked_->measured};
  if (parts_.session.live()) {
    told_ = drive;
  } else if (!past) {
    parts_.loop.set_stood(stands);
  } else {
    past->drive = stands;
    past->driven = past->told = true;
  }
}

}  // namespace trestle::site_node
