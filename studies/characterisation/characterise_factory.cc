#include "studies/characterisation/characterise_factory.h"

#include <string>

#include "core/base/setting_error.h"
#include "proto/config/site.pb.h"
#include "proto/config/site_file.pb.h"

namespace trestle::characterisation {
namespace {

constexpr double kUsualAmplitude = 1e-3;  // [m | rad]

/// Without a test's DOFs only the units of a rig's limits tell rotations from translations.
bool is_rotation(const yaml::SourceMap& where, std::size_t actuator) {
  const std::string place = "[" + std::to_string(actuator) + "].";
  for (const char* field : {"displacement", "rate", "force", "tracking_error"})
    if (where.unit_class("limits.actuators" + place + field) == yaml::UnitClass::kRotation)
      return true;
  return where.unit_class("rig.noise" + place + "displacement") ==
         yaml::UnitClass::kRotation;
}

std::vector<double> amplitudes(const config::Characterise& message, std::size_t actuators) {
  if (message.amplitude().empty()) return std::vector<double>(actuators, kUsualAmplitude);
  if (message.amplitude_size() == 1)
    return std::vector<double>(actuators, message.amplitude(0));
  if (static_cast<std::size_t>(message.amplitude_size()) != actuators)
    throw SettingError("characterise.amplitude", std::to_string(message.amplitude_size()) +
                                                     " amplitudes are given; the rig has " +
                                                     std::to_string(actuators) +
                                                     " actuators; give one, or one each");
  return {message.amplitude().begin(), message.amplitude().end()};
}

/// An amplitude for all actuators must fit every kind; a single one has its actuator's
/// unit.
void check_unit(const yaml::SourceMap& where, std::size_t actuator, DofKind kind) {
  const std::string path = "characterise.amplitude[" + std::to_string(actuator) + "]";
  const yaml::UnitClass unit = where.unit_class(path);
  if (unit != (kind == DofKind::kRotation ? yaml::UnitClass::kTranslation
                                          : yaml::UnitClass::kRotation))
    return;
  throw SettingError(path, "actuator " + std::to_string(actuator + 1) +
                               (kind == DofKind::kRotation
                                    ? " is a rotation; give its amplitude in mrad"
                                    : " is a translation; give its amplitude in mm"));
}

/// @param highest  of the signal [Hz]
controller_design::SensitivitySettings design_settings(
    const config::MixedSensitivity& message, double highest) {
  controller_design::SensitivitySettings settings;
  controller_design::SensitivityWeights& weights = settings.weights;
  weights.drive_corner = highest;
  settings.widest = !message.has_bandwidth();
  if (message.has_bandwidth()) weights.bandwidth = message.bandwidth();
  if (message.has_static_error()) weights.static_error = message.static_error();
  if (message.has_peak()) weights.peak = message.peak();
  if (message.has_drive_gain()) weights.drive_gain = message.drive_gain();
  if (message.has_drive_corner()) weights.drive_corner = message.drive_corner();
  if (message.has_excess()) settings.excess = message.excess();
  return settings;
}

}  // namespace

CharacteriseSettings characterise_settings(const config::SiteFile& file,
                                           const yaml::SourceMap& where,
                                           const RigDescription& rig) {
  const config::Characterise& message = file.characterise();
  CharacteriseSettings settings;
  if (message.has_control_tick()) settings.tick = message.control_tick();
  settings.noise = message.signal() == config::NOISE;
  settings.amplitude = amplitudes(message, rig.actuators.size());
  if (message.has_lowest()) settings.lowest = message.lowest();
  if (message.has_highest()) settings.highest = message.highest();
  if (message.has_duration()) settings.duration = message.duration();
  if (message.has_order()) settings.order = static_cast<int>(message.order());
  settings.coupled = message.coupled();
  settings.seed = message.seed();
  settings.hinf = design_settings(message.hinf(), settings.highest);
  settings.actuators = rig.actuators;
  for (std::size_t i = 0; i < settings.actuators.size(); ++i)
    if (is_rotation(where, i)) settings.actuators[i].kind = DofKind::kRotation;
  if (message.amplitude_size() > 1)
    for (std::size_t i = 0; i < settings.actuators.size(); ++i)
      check_unit(where, i, settings.actuators[i].kind);
  for (const config::InterfaceLimit& limit : file.limits().interface())
    settings.target_limits.push_back(limit.displacement());
  return settings;
}

}  // namespace trestle::characterisation
