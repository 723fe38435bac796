#pragma once

#include <vector>

#include "core/types/message.h"
#include "core/types/rig_report.h"
#include "numerical/node/site_agreement.h"

namespace trestle::integrator_node {

/// Returns the transducers of a site with what they read in the last second before its
/// heartbeat: displacement, then force of each actuator, load cells, then the channels
/// besides (their newest value, deviation NaN). Empty: the site has reported none yet, or
/// other numbers of them than it agreed on. Allocates.
std::vector<RigReading> site_readings(const SiteAgreement& agreement, const Health& health);

}  // namespace trestle::integrator_node
