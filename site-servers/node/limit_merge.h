#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/types/interface_layout.h"
#include "core/types/limits.h"

namespace trestle::site_node {

/// Returns the place of a site's limit ("site_west.yaml:12") for its field below `limits`:
/// "actuators[0].rate", "interface[1].displacement" (index in the layout). Empty: unknown.
using LimitSourceLookup = std::function<std::string(const std::string& field)>;

/// Merges the limits of both ends: the tighter one applies. Adds one line to `tightened`
/// (which may be null) for each limit that the site tightened, also if the test has none:
/// "actuator 1 rate 300 mm/s (site_west.yaml:12)"; actuators are counted from 1.
///
/// @param test, site  one entry per actuator, or none: states no limits
/// @param kinds       of the actuators, for the unit in the line; empty: translations
/// @throws SettingError  if both state limits of different numbers of actuators
RigLimits merge_limits(const RigLimits& test, const RigLimits& site,
                       std::vector<std::string>* tightened_limits,
                       const std::vector<DofKind>& kinds = {},
                       const LimitSourceLookup& place = {});

/// The same of the limits on targets: "floor_w.x displacement 50 mm (site_west.yaml:9)".
/// @pre  `test` and `site` are the same DOFs in the same order
InterfaceLayout merge_limits(const InterfaceLayout& test, const InterfaceLayout& site,
                             std::vector<std::string>* tightened_limits,
                             const LimitSourceLookup& place = {});

}  // namespace trestle::site_node
