#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "studies/campaign/campaign.h"
#include "studies/campaign/campaign_share.h"

namespace trestle::campaign {

/// Which drawn runs a process has. Two shares of different b have runs in common.
struct RunNumbers {
  std::set<std::int64_t> done;
  std::set<std::int64_t> unstable;
  std::set<std::int64_t> impossible;
};

/// How far one process of a campaign is, as it says itself: its store is locked meanwhile.
struct CampaignStatus {
  std::string stem;   ///< of its files: `campaign`, `share-3-of-64`
  std::string state;  ///< running, stopped, complete
  std::string host;
  CampaignProgress progress;
  RunNumbers runs;
  double started = 0.0;  ///< Unix time [s]
  double updated = 0.0;  ///< Unix time [s]
};

/// Writes the status of this process beside its store.
class StatusFile {
 public:
  /// @param runs  what the store has now; asked as often as the file is written
  StatusFile(const std::string& folder, const CampaignShare& share,
             std::function<RunNumbers()> runs);

  /// As often as one likes: writes every few seconds.
  /// @throws RunFailure where the file cannot be written; so does end()
  void show(const CampaignProgress& progress);
  void end(const CampaignProgress& progress, bool complete);

 private:
  void write(const CampaignProgress& progress, const char* state);

  std::string file_;
  CampaignShare share_;
  std::function<RunNumbers()> runs_;
  double started_;
  std::chrono::steady_clock::time_point last_ = {};
};

/// Of all processes that have one in this folder, sorted by file.
/// @throws std::runtime_error where a file cannot be understood
std::vector<CampaignStatus> read_status(const std::string& folder);

/// A run that several parts have counts once in the sum.
/// @param runs  of the whole campaign
/// @param now   Unix time [s]
std::string status_text(const std::vector<CampaignStatus>& parts, std::int64_t runs,
                        double now);
std::string status_json(const std::vector<CampaignStatus>& parts, std::int64_t runs,
                        double now);

}  // namespace trestle::campaign
