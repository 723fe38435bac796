#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "studies/campaign/campaign.h"
#include "studies/campaign/campaign_share.h"

namespace trestle::campaign {

/// How far one process of a campaign is, as it says itself: its store is locked meanwhile.
struct CampaignStatus {
  std::string stem;   ///< of its files: `campaign`, `share-3-of-64`
  std::string state;  ///< running, stopped, complete
  std::string host;
  CampaignProgress progress;
  double started = 0.0;  ///< Unix time [s]
  double updated = 0.0;  ///< Unix time [s]
};

/// Writes the status of this process beside its store.
class StatusFile {
 public:
  StatusFile(const std::string& folder, const CampaignShare& share);

  /// As often as one likes: writes every few seconds.
  void show(const CampaignProgress& progress);
  void end(const CampaignProgress& progress, bool complete);

 private:
  void write(const CampaignProgress& progress, const char* state);

  std::string file_;
  std::string stem_;
  double started_;
  std::chrono::steady_clock::time_point last_ = {};
};

/// Of all processes that have one in this folder, sorted by file.
/// @throws std::runtime_error where a file cannot be understood
std::vector<CampaignStatus> read_status(const std::string& folder);

/// @param now  Unix time [s]
std::string status_text(const std::vector<CampaignStatus>& parts, std::int64_t runs,
                        double now);
std::string status_json(const std::vector<CampaignStatus>& parts, std::int64_t runs,
                        double now);

}  // namespace trestle::campaign
