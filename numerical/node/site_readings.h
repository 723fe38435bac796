#pragma once

#include <string>
#include <vector>

#include "core/types/arming_status.h"
#include "core/types/message.h"
#include "core/types/rig_report.h"
#include "numerical/node/site_agreement.h"

namespace trestle::integrator_node {

/// Returns the transducers of a site with what they read in the last second before its
/// heartbeat: displacement, then force of each actuator, load cells, then the channels
/// besides (their newest value, deviation NaN). Empty: the site has reported none yet, or
/// other numbers of them than it agreed on. Allocates.
std::vector<RigReading> site_readings(const SiteAgreement& agreement, const Health& health);

/// The same, each with the bound of the site's start-up checks on it.
std::vector<ArmingReading> bounded_readings(const SiteAgreement& agreement,
                                            const Health& health);
/// "1.force -12.5 N sd 4, at most 200; oil 207 bar", cut behind 900 bytes: for the audit.
std::string readings_at_rest(const std::vector<ArmingReading>& readings);
/// "1.force reads 350 N, its start-up check takes at most 200 N" of the first one that is
/// outside its bound; empty: none is.
std::string outside_at_rest(const std::vector<ArmingReading>& readings);

}  // namespace trestle::integrator_node
