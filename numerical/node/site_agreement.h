#pragma once

#include <string>
#include <vector>

#include "core/types/message.h"
#include "numerical/node/integrator_settings.h"

namespace trestle::integrator_node {

/// The description of a site, and the agreement with it.
struct SiteAgreement {
  SiteDescription description;  ///< as its hello says
  InterfaceLayout layout;       ///< with the limits that hold
  std::vector<ActuatorDescription> actuators;
  RigLimits limits;                           ///< of its actuators, that hold
  std::vector<std::string> tightened_limits;  ///< limits where the site's own hold
  std::string contract;                       ///< the agreed facts
  std::string contract_hash;                  ///< of it, hexadecimal
  Channels auxiliary;                     ///< of the rig, in the order of Health::auxiliary
  std::vector<RequiredItem> checklist{};  ///< of the site's file
  std::vector<double> rest_bound{};       ///< as of Configured
};

/// For the record: `a1 m,a2 rad`, and back.
std::string format_actuators(const std::vector<ActuatorDescription>& actuators);
std::vector<ActuatorDescription> parse_actuators(const std::string& text);

/// Why this site cannot take part with this description, or empty.
std::string refusal_of(const Hello& hello, const IntegratorSettings& settings,
                       const SiteSpecification& expected);

/// Takes the agreement of a site.
/// @param asked      of it
/// @param restarted  the site had agreed before and must agree to the same
/// @returns empty, or why it does not fit the test; then only the contract's text is taken
std::string take_over(const Configured& configured, const Configure& asked,
                      const SiteSpecification& expected, bool restarted,
                      SiteAgreement& agreement);

/// Returns the configuration message for the site.
/// @param resume  the session is resumed
Configure configure_message(const IntegratorSettings& settings,
                            const SiteSpecification& site, bool resume);

}  // namespace trestle::integrator_node
