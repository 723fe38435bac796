#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/ports/loading_frame.h"
#include "core/types/fault.h"
#include "core/types/interface_layout.h"
#include "core/types/message.h"
#include "site-servers/node/site_settings.h"

namespace trestle::site_node {

/// The rig's actuators with the kinds that this test's interface gives them: an actuator
/// that moves rotations alone is a rotation.
std::vector<ActuatorDescription> describe_actuators(
    const std::vector<ActuatorDescription>& rig, const InterfaceLayout& layout,
    const LoadingFrame& frame);

std::vector<DofKind> kinds_of(const std::vector<ActuatorDescription>& actuators);

/// The test's interface with the laboratory's own limits on targets.
/// @throws SettingError if such a limit names a DOF that the test does not give the site
InterfaceLayout apply_site_limits(const SiteSettings& settings, InterfaceLayout layout);

/// Why what a test states is no limit: one that is not above zero, or no number, would put
/// the laboratory's own out of force. Empty: they are limits.
/// @param limits  one per actuator, or none
std::string refusal_of_limits(const InterfaceLayout& layout, const RigLimits& limits,
                              std::size_t actuators);

/// Sets the rates that are not stated, such that all actuators stay below four fifths of
/// their rates for any motion of the DOFs. @param limits  one per actuator
void limit_rates_to_actuators(const RigLimits& limits, const LoadingFrame& frame,
                              InterfaceLayout& layout);

/// A limit above these protects no equipment: it counts as not stated.
inline constexpr double kFarthest = 100.0;  // [m | rad]
inline constexpr double kFastest = 1000.0;  // [m/s | rad/s]
inline constexpr double kStrongest = 1e9;   // [N | N·m]

/// Returns the limits of displacement, rate and force that are not stated: "actuator 1 has
/// no limit of rate and of force". Empty: all are stated. @param limits  one per actuator,
/// or none
std::string missing_limits(const RigLimits& limits,
                           const std::vector<ActuatorDescription>& actuators);

/// Returns why real equipment does not move with these limits; empty: all are stated, or a
/// person takes responsibility.
std::string refusal_without_limits(const RigLimits& limits,
                                   const std::vector<ActuatorDescription>& actuators,
                                   const std::optional<WithoutLimits>& answered_for);

/// ` (site limit, site_west.yaml:12:30)` where it is the laboratory's own limit that was
/// met.
std::string format_site_limit(const SiteSettings& settings, const Fault& fault,
                              const InterfaceLayout& layout);
/// The same of an actuator's limit, between two tests: only the laboratory's limits are in
/// force then. Empty: the fault is none of a limit.
std::string format_own_limit(const SiteSettings& settings, const Fault& fault);

}  // namespace trestle::site_node
