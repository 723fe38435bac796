#pragma once

#include <string>

#include "studies/campaign/campaign_tables.h"

namespace trestle::campaign {

/// A campaign as one HTML document: counts, failures by reason, distributions of the
/// results, the convergence of their means, and what each drawn parameter does to them.
/// @param generator  the program and its version
std::string campaign_page(const StudyPlan& plan, const CampaignRecord& record,
                          const CampaignFacts& facts, const std::string& generator);

}  // namespace trestle::campaign
