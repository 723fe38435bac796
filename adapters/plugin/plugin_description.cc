#include "adapters/plugin/plugin_description.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <optional>
#include <tuple>
#include <utility>

#include "adapters/plugin/plugin_settings.h"
#include "core/base/setting_error.h"
#include "core/types/actuator_vector.h"
#include "core/types/interface_vector.h"

namespace trestle::plugin {
namespace {

static_assert(TRESTLE_MOST_ACTUATORS == kMaxActuators);
static_assert(TRESTLE_MOST_REACTIONS == kMaxInterfaceDofs);
// The binary contract: these never change.
static_assert(sizeof(trestle_rig_capabilities) == 32);
static_assert(sizeof(trestle_channel) == 56);
static_assert(sizeof(trestle_run) == 24);
static_assert(sizeof(trestle_sensed) == 64);
static_assert(offsetof(trestle_adapter_v1, contacts) == 8 + 12 * sizeof(void*));
static_assert(sizeof(trestle_adapter_v1) == 8 + 13 * sizeof(void*));
static_assert(sizeof(trestle_inputs) == 16);
static_assert(sizeof(trestle_contacts_v1) == 8 + 3 * sizeof(void*));

std::string most(const char* what, std::uint32_t said, std::uint32_t most) {
  if (said <= most) return {};
  return "has " + std::to_string(said) + " " + what + "; at most " + std::to_string(most) +
         " are possible";
}

std::string capability_error(const trestle_rig_capabilities& said) {
  if (said.size != sizeof(said))
    return "changed the size of trestle_rig_capabilities, which is the caller's";
  if (said.actuators == 0) return "has no actuator; a rig has at least one";
  if (auto why = most("actuators", said.actuators, TRESTLE_MOST_ACTUATORS); !why.empty())
    return why;
  if (auto why = most("reactions", said.reactions, TRESTLE_MOST_REACTIONS); !why.empty())
    return why;
  if (auto why =
          most("auxiliary channels", said.auxiliary_channels, TRESTLE_MOST_AUXILIARY);
      !why.empty())
    return why;
  for (const std::uint8_t flag : {said.real_equipment, said.hardware_watchdog,
                                  said.measures_velocity, said.measures_acceleration})
    if (flag > 1)
      return "says " + std::to_string(flag) + " for a yes or no; must be 0 or 1";
  if (!(said.max_rate_hz > 0.0) || !std::isfinite(said.max_rate_hz))
    return "says that it does " + std::to_string(said.max_rate_hz) +
           " ticks per second; must be above zero";
  return {};
}

template <std::size_t kSize>
std::string checked_text(const char (&text)[kSize], const SettingError& endless) {
  const char* const end = std::find(text, text + kSize, '\0');
  if (end == text + kSize) throw endless;
  return {text, end};
}

double unit_of_drive(const std::string& unit, DofKind kind, const std::string& name,
                     const std::string& file, const std::string& path) {
  const bool angle = unit == "rad" || unit == "mrad" || unit == "urad" || unit == "deg";
  const bool length = unit == "m" || unit == "mm" || unit == "um" || unit == "cm";
  if (kind == DofKind::kRotation ? angle : length) return trestle_unit(unit.c_str());
  throw SettingError(path, "the plug-in " + file + " gives its channel " + name +
                               " the unit `" + unit + "`; the drive in force must be in " +
                               (kind == DofKind::kRotation ? "rad, mrad, urad or deg"
                                                           : "m, mm, um or cm"));
}

/// 0: not one of an acceleration.
double unit_of_acceleration(const std::string& unit) {
  for (const auto& [known, factor] :
       {std::pair{"m/s2", 1.0}, {"mm/s2", 1e-3}, {"rad/s2", 1.0}, {"mrad/s2", 1e-3}})
    if (unit == known) return factor;
  return 0.0;
}

/// A column of the record: its name ends with the unit, in letters that fit one.
Channel named(const std::string& name, const std::string& unit) {
  Channel channel{name + (unit.empty() ? "" : "_" + unit), unit};
  for (char& letter : channel.name)
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0 && letter != '.')
      letter = '_';
  return channel;
}

constexpr const char* kContactUnit = "0/1";

/// The name of a digital input or output; its number if the plug-in gives none.
std::string contact_name(const trestle_adapter_v1& table, void* rig, std::uint32_t what,
                         std::uint32_t index) {
  trestle_channel said{};
  said.size = sizeof(said);
  table.describe_channel(rig, what, index, &said);
  said.name[sizeof(said.name) - 1] = '\0';
  if (said.name[0] != '\0') return said.name;
  return (what == TRESTLE_INPUT ? "input" : "output") + std::to_string(index + 1);
}

/// Digital inputs and outputs, if the plug-in has any.
/// @returns what is wrong; empty: nothing
std::string describe_contacts(const trestle_adapter_v1& table, void* rig,
                              PluginDescription& is) {
  if (table.contacts == nullptr) return {};
  table.contacts->count(rig, &is.inputs, &is.outputs);
  if (auto why = most("digital inputs", is.inputs, TRESTLE_MOST_CONTACTS); !why.empty())
    return why;
  if (auto why = most("digital outputs", is.outputs, TRESTLE_MOST_CONTACTS); !why.empty())
    return why;
  for (std::uint32_t i = 0; i < is.inputs; ++i) {
    const Channel channel = named(contact_name(table, rig, TRESTLE_INPUT, i), kContactUnit);
    // An auxiliary channel of that name, too.
    for (const Channel& other : is.rig.extra)
      if (other.name == channel.name)
        return "has two digital inputs of the name " + channel.name +
               "; give each a separate one";
    is.rig.extra.push_back(channel);
  }
  for (std::uint32_t i = 0; i < is.outputs; ++i) {
    const std::string output = contact_name(table, rig, TRESTLE_OUTPUT, i);
    if (std::count(is.rig.outputs.begin(), is.rig.outputs.end(), output) != 0)
      return "has two digital outputs of the name " + output + "; give each a separate one";
    is.rig.outputs.push_back(output);
  }
  is.rig.inputs = static_cast<int>(is.inputs);
  return {};
}

}  // namespace

PluginDescription describe(const trestle_adapter_v1& table, void* rig,
                           const std::string& file, const std::string& path) {
  PluginDescription is;
  is.capabilities.size = sizeof(is.capabilities);
  table.describe(rig, &is.capabilities);
  if (const std::string why = capability_error(is.capabilities); !why.empty())
    throw SettingError(path, "the plug-in " + file + " " + why);
  const auto channel = [&](std::uint32_t what, std::uint32_t index) {
    trestle_channel said{};
    said.size = sizeof(said);
    table.describe_channel(rig, what, index, &said);
    return said;
  };
  const SettingError endless(path, "the plug-in " + file +
                                       " gives a channel a name or unit without an end; "
                                       "a zero must end each");
  for (std::uint32_t i = 0; i < is.capabilities.actuators; ++i) {
    const trestle_channel said = channel(TRESTLE_ACTUATOR, i);
    std::string name = checked_text(said.name, endless);
    if (name.empty()) name = std::to_string(i + 1);
    is.rig.actuators.push_back(
        {name, said.rotates != 0 ? DofKind::kRotation : DofKind::kTranslation});
  }
  for (const auto& [measured, name, metres, radians] :
       {std::tuple{is.capabilities.measures_velocity, "velocity", "m/s", "rad/s"},
        {is.capabilities.measures_acceleration, "acceleration", "m/s2", "rad/s2"}})
    if (measured != 0)
      for (const ActuatorDescription& actuator : is.rig.actuators)
        is.rig.extra.push_back(
            named(actuator.name + "." + name,
                  actuator.kind == DofKind::kRotation ? radians : metres));
  std::vector<std::optional<ReportedValue>> drives(is.rig.actuators.size());
  for (std::uint32_t i = 0; i < is.capabilities.auxiliary_channels; ++i) {
    const trestle_channel said = channel(TRESTLE_AUXILIARY, i);
    std::string name = checked_text(said.name, endless);
    if (name.empty()) name = "auxiliary" + std::to_string(i + 1);
    const std::string unit = checked_text(said.unit, endless);
    for (std::size_t of = 0; of < drives.size(); ++of)
      if (name == "drive_" + std::to_string(of + 1))
        drives[of] = {is.rig.extra.size(),
                      unit_of_drive(unit, is.rig.actuators[of].kind, name, file, path)};
    // Another plug-in may use such a name for something else: the unit distinguishes them.
    if (const double factor = unit_of_acceleration(unit);
        factor > 0.0 &&
        name == "acceleration_" + std::to_string(is.accelerations.size() + 1))
      is.accelerations.push_back({is.rig.extra.size(), factor});
    is.rig.extra.push_back(named(name, unit));
  }
  if (const std::string why = describe_contacts(table, rig, is); !why.empty())
    throw SettingError(path, "the plug-in " + file + " " + why);
  // If only some drives are reported, the others would be ambiguous.
  if (std::all_of(drives.begin(), drives.end(), [](const auto& one) { return one; }))
    for (const std::optional<ReportedValue>& drive : drives) is.drives.push_back(*drive);
  is.rig.real_equipment = is.capabilities.real_equipment != 0;
  is.rig.hardware_watchdog = is.capabilities.hardware_watchdog != 0;
  // A tick of 1/1000 s shall not be too short for 1000 Hz by a rounding.
  is.rig.shortest_tick = (1.0 - 1e-9) / is.capabilities.max_rate_hz;
  is.rig.reactions = static_cast<int>(is.capabilities.reactions);
  return is;
}

}  // namespace trestle::plugin
