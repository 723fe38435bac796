#include "numerical/node/site_readings.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/number_text.h"
#include "core/session/session_contract.h"

namespace trestle::integrator_node {
namespace {

// No rig has longer ones. The answer to `status` is bounded, and a site states names.
constexpr std::size_t kLongestName = 64;  // bytes
constexpr std::size_t kLongestUnit = 32;

/// Cut not within a letter of several bytes.
std::string cut(const std::string& text, std::size_t longest) {
  if (text.size() <= longest) return text;
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end);
}

/// In the order of Health::mean.
std::vector<RigReading> transducers(const SiteAgreement& agreement, std::size_t count) {
  std::vector<RigReading> channels;
  const auto turns = [](const ActuatorDescription& actuator) {
    return actuator.kind == DofKind::kRotation;
  };
  for (const ActuatorDescription& each : agreement.actuators)
    channels.push_back(
        {cut(each.name, kLongestName) + ".displacement", turns(each) ? "rad" : "m"});
  for (const ActuatorDescription& each : agreement.actuators)
    channels.push_back(
        {cut(each.name, kLongestName) + ".force", turns(each) ? "N.m" : "N"});
  for (int cell = 1; channels.size() < count; ++cell)
    channels.push_back({"load cell " + std::to_string(cell), "N"});
  return channels;
}

/// Contacts that stop the rig when they are closed, by the agreed facts of the site:
/// "estop open hold, gate closed ramp".
std::set<std::string> contacts_that_stop_closed(const std::string& contract) {
  constexpr std::string_view kClosed = " closed";
  std::set<std::string> names;
  for (const auto& [key, value] : session::parse_site_entries(contract)) {
    if (key != "interlocks") continue;
    std::istringstream interlocks(value);
    for (std::string each; std::getline(interlocks >> std::ws, each, ',');) {
      const std::string level = each.substr(0, each.rfind(' '));  // without the reaction
      if (level.ends_with(kClosed))
        names.insert(level.substr(0, level.size() - kClosed.size()));
    }
  }
  return names;
}

}  // namespace

std::vector<RigReading> site_readings(const SiteAgreement& agreement,
                                      const Health& health) {
  const std::size_t count = health.mean.size();
  if (count == 0 || count < 2 * agreement.actuators.size() ||
      health.deviation.size() != count)
    return {};
  std::vector<RigReading> readings = transducers(agreement, count);
  for (std::size_t i = 0; i < count; ++i) {
    readings[i].mean = health.mean[i];
    readings[i].deviation = health.deviation[i];
  }
  // A site of an older minor version does not name them.
  if (agreement.auxiliary.size() != health.auxiliary.size()) return readings;
  const std::set<std::string> stop_closed = contacts_that_stop_closed(agreement.contract);
  for (std::size_t i = 0; i < health.auxiliary.size(); ++i) {
    const Channel& channel = agreement.auxiliary[i];
    RigReading reading{cut(channel.name, kLongestName), cut(channel.unit, kLongestUnit),
                       health.auxiliary[i], std::numeric_limits<double>::quiet_NaN()};
    reading.stops_closed = stop_closed.contains(channel.name);
    readings.push_back(std::move(reading));
  }
  return readings;
}

std::vector<ArmingReading> bounded_readings(const SiteAgreement& agreement,
                                            const Health& health) {
  std::vector<ArmingReading> bounded;
  for (const RigReading& each : site_readings(agreement, health)) {
    const std::size_t i = bounded.size();
    bounded.push_back({each.channel, each.unit, each.mean, each.deviation});
    bounded[i].stops_closed = each.stops_closed;
    if (i < agreement.rest_bound.size()) bounded[i].bound = agreement.rest_bound[i];
  }
  return bounded;
}

std::string readings_at_rest(const std::vector<ArmingReading>& readings) {
  constexpr std::size_t kLongestAct = 900;  // bytes
  std::string text;
  for (const ArmingReading& each : readings) {
    if (text.size() > kLongestAct) return text + "; ...";
    text += (text.empty() ? "" : "; ") + each.channel + " " + format_number(each.mean) +
            " " + each.unit;
    if (std::isfinite(each.deviation)) text += " sd " + format_number(each.deviation);
    if (std::isfinite(each.bound)) text += ", at most " + format_number(each.bound);
  }
  return text;
}

std::string outside_at_rest(const std::vector<ArmingReading>& readings) {
  for (const ArmingReading& each : readings)
    if (std::isfinite(each.bound) && !each.is_within())
      return each.channel + " reads " + format_number(each.mean) + " " + each.unit +
             ", its start-up check takes at most " + format_number(each.bound) + " " +
             each.unit;
  return {};
}

}  // namespace trestle::integrator_node
