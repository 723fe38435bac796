#pragma once

#include <string>
#include <utility>
#include <vector>

namespace trestle::campaign {

/// What two campaigns have in common if runs of one may stand in the table of the other:
/// `what` and its text or hash.
using CampaignIdentity = std::vector<std::pair<std::string, std::string>>;

/// What differs, `the seed was 1 and is 2, the test is another`; empty: nothing.
std::string identity_difference(const CampaignIdentity& was, const CampaignIdentity& is);

}  // namespace trestle::campaign
