#include "numerical/node/site_agreement.h"

#include <algorithm>

#include "core/session/contract_checks.h"
#include "core/session/session_contract.h"
#include "core/types/actuator_vector.h"
#include "core/types/pace_rules.h"

namespace trestle::integrator_node {
namespace {

std::string text(const Version& version) {
  return std::to_string(version.major) + "." + std::to_string(version.minor);
}

/// Why what the site agreed to is not what the test needs, or empty.
std::string mismatch(const Configured& configured, const SiteSpecification& expected,
                     std::size_t actuators_said) {
  const std::string& site = expected.name;
  const InterfaceLayout& layout = expected.layout;
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
  if (configured.actuators.size() != actuators_said)
    return "site " + site + " agreed with " + std::to_string(configured.actuators.size()) +
           " actuators; its hello said " + std::to_string(actuators_said);
  return {};
}

}  // namespace

std::string format_actuators(const std::vector<ActuatorDescription>& actuators) {
  std::string text;
  for (const ActuatorDescription& actuator : actuators)
    text += (text.empty() ? "" : ",") + actuator.name +
            (actuator.kind == DofKind::kRotation ? " rad" : " m");
  return text;
}

std::vector<ActuatorDescription> parse_actuators(const std::string& text) {
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

std::string refusal_of(const Hello& hello, const IntegratorSettings& settings,
                       const SiteSpecification& expected) {
  const std::string& site = expected.name;
  if (hello.protocol.major != kProtocolVersion.major)
    return "site " + site + " speaks protocol " + text(hello.protocol) + " (trestle " +
           hello.site.software + "), the integrator " + text(kProtocolVersion) +
           " (trestle " + settings.software + "); update the older one";
  if (hello.site.name != site)
    return "the site at the place of " + site + " calls itself " + hello.site.name;
  const std::vector<std::string>& modes = hello.site.modes;
  if (std::find(modes.begin(), modes.end(), name(settings.mode)) == modes.end())
    return "site " + site + " cannot run in mode " + name(settings.mode) +
           (hello.site.real_equipment && !rules_of(settings.mode).timed_loop
                ? ", which goes as fast as it can: it is real equipment; take "
                  "pseudo-dynamic, continuous or real-time"
                : "");
  const auto dofs = static_cast<int>(controlled_dofs(expected.layout));
  if (hello.site.interface_dofs != dofs)
    return "site " + site + " has " + std::to_string(hello.site.interface_dofs) +
           " interface DOFs, the test gives it " + std::to_string(dofs);
  if (hello.site.actuators.empty() || hello.site.actuators.size() > kMaxActuators)
    return "site " + site + " has " + std::to_string(hello.site.actuators.size()) +
           " actuators; must be 1 to " + std::to_string(kMaxActuators);
  const std::size_t limits = expected.limits.size();
  if (limits != 0 && limits != hello.site.actuators.size())
    return "site " + site + " has " + std::to_string(hello.site.actuators.size()) +
           " actuators, the test states limits for " + std::to_string(limits);
  const double tick = settings.time_step * settings.pace.scale / expected.ticks_per_step;
  if (tick < hello.site.shortest_tick)
    return "site " + site + " cannot tick every " + std::to_string(tick * 1e3) +
           " ms; its shortest control tick is " +
           std::to_string(hello.site.shortest_tick * 1e3) + " ms";
  return {};
}

std::string take_over(const Configured& configured, const Configure& asked,
                      const SiteSpecification& expected, bool restarted,
                      SiteAgreement& agreement) {
  const std::string before = agreement.contract;
  std::string why = mismatch(configured, expected, agreement.description.actuators.size());
  if (why.empty())
    why = session::check_limits_not_widened(expected.name, asked, configured);
  // A site of an older minor version sends none.
  if (why.empty() && !configured.contract.empty()) {
    agreement.contract =
        session::contract_text(agreement.description, asked, configured,
                               {expected.compensator_text, expected.controller_text,
                                session::parse_site_entries(configured.contract)});
    agreement.contract_hash = session::contract_hash(agreement.contract);
    why =
        session::compare_contracts(expected.name, agreement.contract, configured.contract);
  }
  if (why.empty() && restarted)
    if (const std::string change =
            session::check_contract_unchanged(before, agreement.contract);
        !change.empty())
      why = "site " + expected.name + " was restarted: " + change;
  if (!why.empty()) return why;
  agreement.layout = configured.layout;
  agreement.actuators = configured.actuators;
  agreement.limits = configured.limits;
  agreement.tightened_limits = configured.tightened_limits;
  agreement.auxiliary = configured.auxiliary;
  agreement.checklist = configured.checklist;
  agreement.rest_bound = configured.rest_bound;
  return {};
}

Configure configure_message(const IntegratorSettings& settings,
                            const SiteSpecification& site, bool resume) {
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

}  // namespace trestle::integrator_node
