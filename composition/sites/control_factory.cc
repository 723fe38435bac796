#include "composition/sites/control_factory.h"

#include "core/base/setting_error.h"
#include "proto/config/site.pb.h"
#include "site-servers/node/interface_limits.h"

namespace trestle::composition {
namespace {

std::string entry(const std::string& path, const char* list, int index) {
  return path + "." + list + "[" + std::to_string(index) + "]";
}

/// One each, of one for all or one each.
template <typename Values>
ActuatorVector each(const Values& values, int actuators, const std::string& path) {
  if (values.size() != 1 && values.size() != actuators)
    throw SettingError(path, std::to_string(values.size()) + " values for " +
                                 std::to_string(actuators) +
                                 " actuators; give one for all or one each");
  ActuatorVector result(actuators);
  for (int i = 0; i < actuators; ++i) result[i] = values.Get(values.size() == 1 ? 0 : i);
  return result;
}

}  // namespace

RigLimits make_limits(const config::Limits& message, int actuators,
                      const std::string& path) {
  const int entries = message.actuators_size();
  if (entries == 0) return {};
  if (actuators > 0 && entries != actuators)
    throw SettingError(path + ".actuators", std::to_string(entries) + " entries for " +
                                                std::to_string(actuators) +
                                                " actuators; give one each");
  RigLimits limits;
  for (const config::ActuatorLimit& it : message.actuators()) {
    ActuatorLimits& limit = limits.emplace_back();
    if (it.has_displacement()) limit.displacement = it.displacement();
    if (it.has_rate()) limit.rate = it.rate();
    if (it.has_force()) limit.force = it.force();
    if (it.has_tracking_error()) limit.tracking_error = it.tracking_error();
    if (it.has_energy_error()) limit.energy_error = it.energy_error();
    if (it.has_acceleration()) limit.acceleration = it.acceleration();
    if (it.has_tracking_dwell()) limit.tracking_dwell = it.tracking_dwell();
    if (it.has_tracking_dwell() && !it.has_tracking_error())
      throw SettingError(
          entry(path, "actuators", static_cast<int>(limits.size()) - 1) + ".tracking_dwell",
          "tracking_dwell waits for a tracking_error; give that limit too");
  }
  return limits;
}

safety::SafeAction make_safe_action(const config::SafeAction& message, int actuators,
                                    const std::string& path) {
  safety::SafeAction action;
  if (message.has_ramp_home()) {
    const config::RampHome& home = message.ramp_home();
    const std::string at = path + ".ramp_home";
    action.kind = safety::SafeAction::Kind::kRampHome;
    action.rate = each(home.rate(), actuators, at + ".rate");
    action.acceleration = each(home.acceleration(), actuators, at + ".acceleration");
  } else if (message.has_unload()) {
    const config::Unload& unload = message.unload();
    const std::string at = path + ".unload";
    action.kind = safety::SafeAction::Kind::kUnload;
    action.rate = each(unload.rate(), actuators, at + ".rate");
    action.band = each(unload.band(), actuators, at + ".band");
    action.travel = each(unload.travel(), actuators, at + ".travel");
  }
  safety::check(action, actuators, path);
  return action;
}

InterfaceLayout limit_targets(const config::Limits& message, InterfaceLayout layout,
                              const std::string& path) {
  for (int i = 0; i < message.interface_size(); ++i) {
    const config::InterfaceLimit& it = message.interface(i);
    const int dof = site_node::find_dof(layout, it.dof(), entry(path, "interface", i));
    InterfaceDof& limited = layout[static_cast<std::size_t>(dof)];
    limited.displacement_limit = it.displacement();
    if (it.has_rate()) limited.rate_limit = it.rate();
    if (it.has_acceleration()) limited.acceleration_limit = it.acceleration();
  }
  return layout;
}

}  // namespace trestle::composition
