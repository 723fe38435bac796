#include "core/session/channel_names.h"

#include <array>
#include <charconv>

namespace trestle {

Channel motion_channel(const std::string& prefix, const char* quantity, DofKind kind) {
  const char* unit = kind == DofKind::kRotation ? "rad" : "m";
  return {prefix + "." + quantity + "_" + unit, unit};
}

Channel force_channel(const std::string& prefix, DofKind kind) {
  return kind == DofKind::kRotation ? Channel{prefix + ".force_Nm", "N.m"}
                                    : Channel{prefix + ".force_N", "N"};
}

Channels target_channels(const std::string& site, const InterfaceLayout& layout) {
  Channels channels;
  for (const InterfaceDof& dof : layout)
    if (dof.role == DofRole::kControlled)
      channels.push_back(motion_channel(site + "." + dof.name, "target", dof.kind));
  return channels;
}

Channels answer_channels(const std::string& site, const InterfaceLayout& layout,
                         const std::vector<ActuatorDescription>& actuators) {
  Channels channels;
  for (const InterfaceDof& dof : layout) {
    const std::string prefix = site + "." + dof.name;
    if (dof.role == DofRole::kControlled)
      for (const char* quantity : {"target", "measured"})
        channels.push_back(motion_channel(prefix, quantity, dof.kind));
    channels.push_back(force_channel(prefix, dof.kind));
  }
  for (const ActuatorDescription& actuator : actuators) {
    const std::string prefix = site + "." + actuator.name;
    for (const char* quantity : {"target", "command", "measured"})
      channels.push_back(motion_channel(prefix, quantity, actuator.kind));
    channels.push_back(force_channel(prefix, actuator.kind));
  }
  return channels;
}

std::string format_exact(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

}  // namespace trestle
