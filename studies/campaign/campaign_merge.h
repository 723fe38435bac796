#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "studies/campaign/campaign_store.h"

namespace trestle::campaign {

/// The stores of shares in a folder, sorted by name.
std::vector<std::string> share_files(const std::string& folder);

/// Copies the runs up to `last_run` of other stores of the same campaign. A run that is
/// there several times with the same bits is one.
/// @throws std::runtime_error where a store is of another campaign or is being written, or
///         a run is there with other bits: the run, both files, the first result that
///         differs
void merge_stores(CampaignStore& whole, const std::string& whole_file,
                  const std::vector<std::string>& shares,
                  const CampaignStore::CampaignIdentity& identity, std::int64_t last_run);

/// Which of the runs 0 … `last_run` a store lacks: `3, 7 to 12`; empty: none.
/// @param count  how many
std::string missing_runs(const CampaignStore& store, std::int64_t last_run,
                         std::int64_t& count);

}  // namespace trestle::campaign
