#include "site-servers/node/told_drive.h"

#include <cmath>
#include <string_view>

#include "site-servers/node/spoken_quantity.h"

namespace trestle::site_node {
namespace {

constexpr std::string_view kMeasured = "measured";

std::string number_with_unit(double value, DofKind kind) {
  return spoken_text(value, SpokenKind::kMotion, kind);
}

std::string form(const std::vector<ActuatorDescription>& actuators) {
  return actuators.size() == 1
             ? std::string("give one number with its unit, such as 14.94mm")
             : "give " + std::to_string(actuators.size()) +
                   " numbers with their units, such as 14.94mm,-3mm";
}

}  // namespace

std::optional<DriveInForce> in_force(const std::optional<ToldDrive>& told) {
  if (!told) return std::nullopt;
  return DriveInForce{told->drive, told->drive, told->drive, told->measured};
}

std::string drive_text(const ActuatorVector& drive,
                       const std::vector<ActuatorDescription>& actuators) {
  std::string text;
  for (Eigen::Index i = 0; i < drive.size(); ++i)
    text += (text.empty() ? "" : ", ") +
            number_with_unit(drive[i], actuators[static_cast<std::size_t>(i)].kind);
  return text;
}

std::string unknown_drive_text(const UnknownDrive& unknown, const std::string& site,
                               bool alone,
                               const std::vector<ActuatorDescription>& actuators) {
  std::string why =
      "nobody knows which drive the equipment has in force: it reports none, it stands "
      "at " +
      drive_text(unknown.measured, actuators);
  if (unknown.last && unknown.last->size() == unknown.measured.size())
    why += ", and the last drive on record is " + drive_text(*unknown.last, actuators) +
           ", " + unknown.doubt;
  why += ". Read the drive off the equipment's controller and say it: trestle clear " +
         site +
         " --drive 14.94mm (one for each actuator, commas between them); or let the "
         "controller make where the rig stands its drive, and say: trestle clear " +
         site + " --drive measured";
  if (alone)
    why +=
        ". The integrator's own process drives this rig and ends here: say it all the "
        "same, "
        "then resume the test (trestle resume RUN-FOLDER)";
  return why;
}

std::variant<ActuatorVector, std::string> told_drive(
    const std::string& text, const std::vector<ActuatorDescription>& actuators,
    const ActuatorVector& measured, const RigLimits& limits) {
  const std::vector<std::string> parts = spoken_list(text);
  if (parts.size() == 1 && parts.front() == kMeasured) return measured;
  if (parts.size() != actuators.size())
    return "the drive " + text + " has " + std::to_string(parts.size()) + " numbers; " +
           form(actuators);
  ActuatorVector drive(measured.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::optional<double> said =
        read_spoken(parts[i], SpokenKind::kMotion, actuators[i].kind);
    if (!said)
      return "the drive " + parts[i] + " of actuator " + actuators[i].name +
             " is no number with a unit of its motion; " + form(actuators);
    const double value = *said;
    if (!(std::abs(value) <= limits[i].displacement))
      return "the drive " + number_with_unit(value, actuators[i].kind) + " of actuator " +
             actuators[i].name + " is beyond its limit " +
             number_with_unit(limits[i].displacement, actuators[i].kind) +
             "; a rig that stands there is brought back by the equipment's own means";
    const double off = std::abs(value - measured[static_cast<Eigen::Index>(i)]);
    if (!(off <= limits[i].tracking_error))
      return "the drive " + number_with_unit(value, actuators[i].kind) + " of actuator " +
             actuators[i].name + " is " + number_with_unit(off, actuators[i].kind) +
             " from where it stands, above the limit " +
             number_with_unit(limits[i].tracking_error, actuators[i].kind) +
             " of its tracking error; read it again, or bring the controller's drive to "
             "where the rig stands";
    drive[static_cast<Eigen::Index>(i)] = value;
  }
  return drive;
}

}  // namespace trestle::site_node
