#include "studies/campaign/campaign_identity.h"

#include <map>

namespace trestle::campaign {

std::string identity_difference(const CampaignIdentity& was, const CampaignIdentity& is) {
  std::map<std::string, std::string> old(was.begin(), was.end());
  std::string changed;
  const auto differs = [&](const std::string& what) {
    changed += (changed.empty() ? "" : ", ") + what;
  };
  for (const auto& [key, value] : is) {
    const auto found = old.find(key);
    if (found == old.end()) {
      differs("the " + key + " is new");
      continue;
    }
    if (found->second != value)
      differs(key == "seed" || key == "design" || key == "software"
                  ? "the " + key + " was " + found->second + " and is " + value
                  : "the " + key + " is another");
    old.erase(found);
  }
  for (const auto& [key, value] : old) differs("the " + key + " is gone");
  return changed;
}

}  // namespace trestle::campaign
