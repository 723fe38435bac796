#include "site-servers/node/rig_channels.h"

#include <cstdio>

#include "site-servers/node/spoken_quantity.h"

namespace trestle::site_node {

std::vector<RigReading> rig_channels(const std::vector<ActuatorDescription>& actuators,
                                     const RigDescription& rig) {
  std::vector<RigReading> channels;
  const auto turns = [](const ActuatorDescription& actuator) {
    return actuator.kind == DofKind::kRotation;
  };
  for (const ActuatorDescription& each : actuators)
    channels.push_back({each.name + ".displacement", turns(each) ? "rad" : "m"});
  for (const ActuatorDescription& each : actuators)
    channels.push_back({each.name + ".force", turns(each) ? "N.m" : "N"});
  for (int i = 0; i < rig.reactions; ++i)
    channels.push_back({"load cell " + std::to_string(i + 1), "N"});
  for (const Channel& each : rig.extra) channels.push_back({each.name, each.unit});
  return channels;
}

std::string reading_text(const RigReading& reading) {
  const bool turns = reading.unit == "rad" || reading.unit == "N.m";
  const DofKind kind = turns ? DofKind::kRotation : DofKind::kTranslation;
  if (reading.unit == "m" || reading.unit == "rad")
    return reading.channel + " " + spoken_text(reading.mean, SpokenKind::kMotion, kind);
  if (reading.unit == "N" || reading.unit == "N.m")
    return reading.channel + " " + spoken_text(reading.mean, SpokenKind::kForce, kind);
  char text[96];
  std::snprintf(text, sizeof text, " %.6g %s", reading.mean, reading.unit.c_str());
  return reading.channel + text;
}

std::string readings_text(const std::vector<RigReading>& readings, std::size_t longest) {
  std::string text;
  for (const RigReading& each : readings) {
    const std::string next = reading_text(each);
    if (text.size() + next.size() > longest) return text + ", ...";
    text += (text.empty() ? "" : ", ") + next;
  }
  return text;
}

}  // namespace trestle::site_node
