#include "site-servers/node/rig_tare_command.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string_view>

#include "site-servers/node/rig_channels.h"
#include "site-servers/node/spoken_quantity.h"

namespace trestle::site_node {
namespace {

constexpr const char* kContact = "0/1";

/// A channel that says "drive_2_m" is read by the site itself, and not from behind the
/// tare.
bool is_read_by_site(const std::string& channel) {
  for (const std::string_view name : {"drive_", "acceleration_"})
    if (channel.size() > name.size() && channel.starts_with(name) &&
        std::isdigit(static_cast<unsigned char>(channel[name.size()])) != 0)
      return true;
  return false;
}

std::string tare_names(const std::vector<std::string>& channels) {
  std::string names;
  for (const std::string& each : channels) names += (names.empty() ? "" : ", ") + each;
  return names;
}

bool is_named(const RigTareCommand& command, const std::string& channel) {
  return std::find(command.channels.begin(), command.channels.end(), channel) !=
         command.channels.end();
}

/// @returns one sentence: why this channel cannot be tared, or undone; empty: it can
std::string refusal_of_channel(const std::string& channel, bool undo,
                               const std::vector<RigReading>& channels,
                               std::size_t actuators, const RigTare& present) {
  const auto found =
      std::find_if(channels.begin(), channels.end(),
                   [&](const RigReading& each) { return each.channel == channel; });
  if (found == channels.end()) {
    std::string known;
    for (auto each = channels.begin() + static_cast<std::ptrdiff_t>(actuators);
         each != channels.end(); ++each)
      known += (known.empty() ? "" : ", ") + each->channel;
    return "the rig has no channel " + channel + "; give some of " + known + " (--channel)";
  }
  if (static_cast<std::size_t>(found - channels.begin()) < actuators)
    return channel +
           " is in the coordinate of the drive and cannot be tared: the drive would not "
           "follow. Set the zero of the actuator at the equipment's controller";
  if (!undo && found->unit == kContact)
    return channel + " is a contact, closed or open; it cannot be tared";
  if (!undo && is_read_by_site(channel))
    return channel +
           " tells this site what the equipment does, without a tare; set its zero at the "
           "equipment";
  if (undo && present.find(channel) == nullptr)
    return channel + " is not tared (trestle rig status shows what is)";
  return {};
}

}  // namespace

std::variant<RigTareCommand, std::string> read_tare_command(const RigRequest& request,
                                                            const RigDescription& rig,
                                                            const RigTare& present) {
  RigTareCommand command;
  command.undo = request.action == RigRequest::Action::kUndoTare;
  const std::vector<RigReading> channels = rig_channels(rig.actuators, rig);
  const std::size_t actuators = rig.actuators.size();
  if (!request.channels.empty()) {
    command.channels = spoken_list(request.channels);
    for (const std::string& each : command.channels)
      if (std::string why =
              refusal_of_channel(each, command.undo, channels, actuators, present);
          !why.empty())
        return why;
  } else if (command.undo) {
    for (const TareOffset& each : present.offsets) command.channels.push_back(each.channel);
  } else {
    const std::size_t cells = actuators + static_cast<std::size_t>(rig.reactions);
    for (std::size_t i = actuators; i < actuators + cells; ++i)
      command.channels.push_back(channels[i].channel);
  }
  if (command.channels.empty())
    return std::string(command.undo ? "nothing is tared" : "the rig has no load cells");
  command.words = (command.undo ? "undoing of the tare of " : "tare of ") +
                  tare_names(command.channels);
  return command;
}

std::variant<std::vector<TareOffset>, std::string> tare_offsets(
    const RigTareCommand& command, const std::vector<RigReading>& readings,
    const RigLimits& limits, const RigTare& present) {
  std::vector<TareOffset> offsets;
  for (const TareOffset& each : present.offsets)
    if (!is_named(command, each.channel)) offsets.push_back(each);
  if (command.undo) return offsets;
  for (std::size_t i = 0; i < readings.size(); ++i) {
    const RigReading& reading = readings[i];
    if (!is_named(command, reading.channel)) continue;
    const double raw = reading.mean + reading.tare;
    const bool of_actuator = i >= limits.size() && i < 2 * limits.size();
    const double most =
        of_actuator ? kMostTare * limits[i - limits.size()].force : ActuatorLimits::kNone;
    if (!std::isfinite(raw) || std::abs(raw) > most) {
      RigReading shown = reading;
      shown.mean = raw;
      RigReading limit = reading;
      limit.mean = most;
      return "not tared: the equipment reads " + reading_text(shown) +
             ", more than a quarter of the limit of force (" + reading_text(limit) +
             "). That is a load: take it off, or set the zero at the equipment";
    }
    offsets.push_back({reading.channel, reading.unit, raw, {}});
  }
  return offsets;
}

void show_tare(RigReading& reading, const RigTare& tare) {
  const TareOffset* const now = tare.find(reading.channel);
  reading.mean += reading.tare - (now == nullptr ? 0.0 : now->value);
  reading.tare = now == nullptr ? 0.0 : now->value;
  reading.tared = now == nullptr ? std::string() : now->at;
}

std::string tare_text(const RigTareCommand& command, const RigTare& tare) {
  if (command.undo)
    return "the readings of " + tare_names(command.channels) + " are the equipment's again";
  std::string text = "subtracted from now on:";
  for (const std::string& each : command.channels)
    if (const TareOffset* const offset = tare.find(each))
      text += (text.back() == ':' ? " " : ", ") +
              reading_text({offset->channel, offset->unit, offset->value});
  return text;
}

}  // namespace trestle::site_node
