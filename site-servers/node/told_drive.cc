#include "site-servers/node/told_drive.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace trestle::site_node {
namespace {

constexpr std::string_view kMeasured = "measured";
constexpr std::string_view kBlanks = " \t";

struct LengthUnit {
  const char* name;
  double factor;
  DofKind kind;
};

constexpr double kDegree = 0.017453292519943295;
constexpr std::array<LengthUnit, 8> kUnits{{{"m", 1.0, DofKind::kTranslation},
                                            {"cm", 1e-2, DofKind::kTranslation},
                                            {"mm", 1e-3, DofKind::kTranslation},
                                            {"um", 1e-6, DofKind::kTranslation},
                                            {"rad", 1.0, DofKind::kRotation},
                                            {"mrad", 1e-3, DofKind::kRotation},
                                            {"urad", 1e-6, DofKind::kRotation},
                                            {"deg", kDegree, DofKind::kRotation}}};

std::string trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(kBlanks);
  if (from == std::string_view::npos) return {};
  return std::string(text.substr(from, text.find_last_not_of(kBlanks) + 1 - from));
}

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts{""};
  for (const char letter : text) {
    if (letter == ',' || letter == ';')
      parts.emplace_back();
    else
      parts.back() += letter;
  }
  for (std::string& part : parts) part = trimmed(part);
  return parts;
}

std::string number_with_unit(double value, DofKind kind) {
  char digits[48];
  std::snprintf(digits, sizeof digits, "%.6g %s", 1e3 * value,
                kind == DofKind::kRotation ? "mrad" : "mm");
  return digits;
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
  if (trimmed(text) == kMeasured) return measured;
  const std::vector<std::string> parts = parts_of(text);
  if (parts.size() != actuators.size())
    return "the drive " + text + " has " + std::to_string(parts.size()) + " numbers; " +
           form(actuators);
  ActuatorVector drive(measured.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    char* end = nullptr;
    const double number = std::strtod(parts[i].c_str(), &end);
    const std::string unit = trimmed(end);
    const LengthUnit* found = nullptr;
    for (const LengthUnit& each : kUnits)
      if (unit == each.name && each.kind == actuators[i].kind) found = &each;
    const bool hexadecimal = parts[i].find_first_of("xX") != std::string::npos;
    if (end == parts[i].c_str() || !std::isfinite(number) || found == nullptr ||
        hexadecimal)
      return "the drive " + parts[i] + " of actuator " + actuators[i].name +
             " is no number with a unit of its motion; " + form(actuators);
    const double value = number * found->factor;
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
