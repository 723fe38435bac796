#include "site-servers/node/control_loop_settings.h"

#include <cmath>
#include <string>

#include "core/base/setting_error.h"

namespace trestle::site_node {

const ControlLoopSettings& checked(const ControlLoopSettings& settings,
                                   const LoadingFrame& frame) {
  if (!(settings.time_step > 0.0) || !std::isfinite(settings.time_step))
    throw SettingError("time_step", "time step is " + std::to_string(settings.time_step) +
                                        " s; must be above zero");
  if (settings.ticks_per_step < 1)
    throw SettingError("control_tick", "a step has " +
                                           std::to_string(settings.ticks_per_step) +
                                           " control ticks; must be at least one");
  if (!(settings.ramp_duration >= 0.0) || !std::isfinite(settings.ramp_duration))
    throw SettingError("ramp_duration", "the ramp to the safe position takes " +
                                            std::to_string(settings.ramp_duration) +
                                            " s; must not be below zero");
  if (settings.record_every < 1) throw SettingError("record_ticks", "must be at least 1");
  const std::size_t controlled = controlled_dofs(settings.layout);
  if (controlled != static_cast<std::size_t>(frame.interface_dofs()))
    throw SettingError("interface", std::to_string(controlled) +
                                        " controlled DOFs, but the loading frame has " +
                                        std::to_string(frame.interface_dofs()));
  if (!controlled_first(settings.layout))
    throw SettingError("interface", "controlled DOFs must stand before force-only ones");
  const InterfaceLayout moved(
      settings.layout.begin(),
      settings.layout.begin() + static_cast<std::ptrdiff_t>(controlled));
  if (const std::string why = frame.refusal_of(moved); !why.empty())
    throw SettingError("interface", why);
  for (const InterfaceDof& dof : settings.layout) {
    if (!(dof.displacement_limit > 0.0))
      throw SettingError("limits.interface", "the limit of " + dof.name + " is " +
                                                 std::to_string(dof.displacement_limit) +
                                                 "; must be above zero");
  }
  return settings;
}

Eigen::Index checked_reactions(const InterfaceLayout& layout, const SiteAdapter& adapter) {
  const std::size_t asked = layout.size() - controlled_dofs(layout);
  const auto given = static_cast<std::size_t>(adapter.description().reactions);
  if (asked > given)
    throw SettingError("force_only", std::to_string(asked) +
                                         " DOFs, but the rig has load cells for " +
                                         std::to_string(given));
  return static_cast<Eigen::Index>(asked);
}

RigLimits complete(const RigLimits& limits, int actuators) {
  const auto count = static_cast<std::size_t>(actuators);
  if (limits.empty()) return RigLimits(count);
  if (limits.size() != count)
    throw SettingError("limits.actuators", std::to_string(limits.size()) + " entries for " +
                                               std::to_string(actuators) +
                                               " actuators; give one each");
  return limits;
}

}  // namespace trestle::site_node
