#include "numerical/node/site_link.h"

#include <algorithm>
#include <cstdio>

#include "core/session/limit_field.h"
#include "core/types/actuator_vector.h"

namespace trestle {
namespace {

std::string text(const Version& version) {
  return std::to_string(version.major) + "." + std::to_string(version.minor);
}

}  // namespace

std::string text_of(const std::vector<ActuatorDescription>& actuators) {
  std::string text;
  for (const ActuatorDescription& actuator : actuators)
    text += (text.empty() ? "" : ",") + actuator.name +
            (actuator.kind == DofKind::kRotation ? " rad" : " m");
  return text;
}

std::vector<ActuatorDescription> actuators_from(const std::string& text) {
  std::vector<ActuatorDescription> actuators;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string one = text.substr(at, end - at);
    const std::size_t space = one.rfind(' ');
    actuators.push_back({one.substr(0, space), one.ends_with(" rad")
                                                   ? DofKind::kRotation
                                                   : DofKind::kTranslation});
    at = end + 1;
  }
  return actuators;
}

std::string duration_text(Duration duration) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.3g s", seconds(duration));
  return digits;
}

std::string mismatch(const Hello& hello, const IntegratorSettings& settings,
                     const SiteLink& link) {
  const std::string& site = link.expected.name;
  if (hello.protocol.major != kProtocolVersion.major)
    return "site " + site + " speaks protocol " + text(hello.protocol) + " (trestle " +
           hello.site.software + "), the integrator " + text(kProtocolVersion) +
           " (trestle " + settings.software + "); update the older one";
  if (hello.site.name != site)
    return "the site at the place of " + site + " calls itself " + hello.site.name;
  const std::vector<std::string>& modes = hello.site.modes;
  if (std::find(modes.begin(), modes.end(), name(settings.mode)) == modes.end())
    return "site " + site + " cannot run in mode " + name(settings.mode) +
           (hello.site.real_equipment && settings.mode == Mode::kSimulated
                ? ", which goes as fast as it can: it is real equipment; take "
                  "pseudo-dynamic, continuous or real-time"
                : "");
  const auto dofs = static_cast<int>(controlled_dofs(link.expected.layout));
  if (hello.site.interface_dofs != dofs)
    return "site " + site + " has " + std::to_string(hello.site.interface_dofs) +
           " interface DOFs, the test gives it " + std::to_string(dofs);
  if (hello.site.actuators.empty() || hello.site.actuators.size() > kMaxActuators)
    return "site " + site + " has " + std::to_string(hello.site.actuators.size()) +
           " actuators; must be 1 to " + std::to_string(kMaxActuators);
  const std::size_t limits = link.expected.limits.size();
  if (limits != 0 && limits != hello.site.actuators.size())
    return "site " + site + " has " + std::to_string(hello.site.actuators.size()) +
           " actuators, the test states limits for " + std::to_string(limits);
  const double tick =
      settings.time_step * settings.pace.scale / link.expected.ticks_per_step;
  if (tick < hello.site.shortest_tick)
    return "site " + site + " cannot tick every " + std::to_string(tick * 1e3) +
           " ms; its shortest control tick is " +
           std::to_string(hello.site.shortest_tick * 1e3) + " ms";
  return {};
}

std::string mismatch(const Configured& configured, const SiteLink& link) {
  const std::string& site = link.expected.name;
  const InterfaceLayout& layout = link.expected.layout;
  if (configured.layout.size() != layout.size())
    return "site " + site + " agreed to " + std::to_string(configured.layout.size()) +
           " interface DOFs, the test gives it " + std::to_string(layout.size());
  for (std::size_t i = 0; i < layout.size(); ++i) {
    const InterfaceDof& agreed = configured.layout[i];
    if (agreed.name != layout[i].name || agreed.kind != layout[i].kind ||
        agreed.role != layout[i].role)
      return "site " + site + " agreed to " + agreed.name + " where the test has " +
             layout[i].name;
    if (!(agreed.displacement_limit <= layout[i].displacement_limit))
      return "site " + site + " agreed to a wider limit of " + agreed.name +
             " than the test allows";
  }
  const auto said = static_cast<std::size_t>(link.actuators_said);
  if (configured.actuators.size() != said)
    return "site " + site + " agreed with " + std::to_string(configured.actuators.size()) +
           " actuators; its hello said " + std::to_string(said);
  return {};
}

Configure configure_message(const IntegratorSettings& settings, const SiteInTest& site,
                            bool resume) {
  Configure message;
  message.resume = resume;
  message.model = settings.model;
  message.software = settings.software;
  message.session = settings.session;
  message.test = settings.test;
  message.mode = name(settings.mode);
  message.pace = settings.pace;
  message.time_step = settings.time_step;
  message.ticks_per_step = site.ticks_per_step;
  message.seed = settings.seed;
  message.steps_planned = settings.steps;
  message.layout = site.layout;
  message.limits = site.limits;
  message.compensator = site.compensator;
  message.controller = site.controller;
  message.heartbeat_period = seconds(settings.heartbeat);
  message.watchdog = seconds(settings.watchdog);
  message.specimen_mass = site.specimen_mass;
  message.inertia_measured = site.inertia_measured;
  return message;
}

std::string test_limit_note(const SiteInTest& site, const Fault& fault) {
  if (!site.limit_place || !states_limit(fault, site.limits, site.layout)) return {};
  return " (limit of the test, " + site.limit_place(limit_field(fault)) + ")";
}

}  // namespace trestle
