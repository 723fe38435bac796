#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/base/time.h"
#include "core/ports/site_adapter.h"
#include "core/types/interface_layout.h"
#include "core/types/message.h"
#include "core/types/pace_rules.h"
#include "site-servers/node/site_settings.h"

namespace trestle::site_node {

/// The rules of the mode of this name; null: there is no such mode.
const PaceRules* rules_named(const std::string& mode) noexcept;

/// The facts on which a site and its integrator have agreed for a session.
struct AgreedTest {
  Configure configure;
  Configured configured;
  std::string contract_hash;
  const PaceRules* rules = &rules_of(ExecutionMode::kSimulated);
  InterfaceLayout layout;  ///< with the tighter limits of both ends
  std::vector<ActuatorDescription> actuators;

  /// Control tick δt of the wall [s].
  double tick() const noexcept;
  /// How long this number of ticks takes.
  Duration ticks(double count) const noexcept;
  /// Silence of the integrator after which the site holds. @pre refusal_of_test() is empty
  Duration watchdog() const noexcept;
  /// @pre as watchdog()
  Duration heartbeat_period() const noexcept;
};

/// Why no site could follow this test, or not this one with its rig. Empty: it can.
std::string refusal_of_test(const Configure& configure, const SiteSettings& site,
                            const RigDescription& rig, std::size_t accelerometers);

}  // namespace trestle::site_node
