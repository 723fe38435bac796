#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/types/interface_layout.h"
#include "core/types/limits.h"

namespace trestle {

/// Where a site's limit was stated ("site_west.yaml:12"), by its field below `limits`:
/// "actuators[0].rate", "interface[1].displacement" (place in the layout). Empty: unknown.
using LimitSourceLookup = std::function<std::string(const std::string& field)>;

/// Both ends speak, the tighter limit holds. Of each limit that the site tightened, also
/// where the test stated none, one line is added to `tightened` (which may be null):
/// "actuator 1 rate 300 mm/s (site_west.yaml:12)"; actuators are counted from 1.
///
/// @param test, site  one entry per actuator, or none: states no limits
/// @param kinds       of the actuators, for the unit in the line; empty: translations
/// @throws SettingError  where both state limits of different numbers of actuators
RigLimits merge_limits(const RigLimits& test, const RigLimits& site,
                       std::vector<std::string>* tightened_limits,
                       const std::vector<DofKind>& kinds = {},
                       const LimitSourceLookup& place = {});

/// The same of the limits on targets: "floor_w.x displacement 50 mm (site_west.yaml:9)".
/// @pre  `test` and `site` are the same DOFs in the same order
InterfaceLayout merge_limits(const InterfaceLayout& test, const InterfaceLayout& site,
                             std::vector<std::string>* tightened_limits,
                             const LimitSourceLookup& place = {});

}  // namespace trestle
