#pragma once

#include <chrono>

#include "studies/campaign/campaign.h"

namespace trestle::cli {

/// Shows on stderr how far a campaign is: one line that renews itself on a terminal, one
/// plain line every few seconds otherwise.
class CampaignProgressLine {
 public:
  CampaignProgressLine();

  /// As often as one likes.
  void show(const campaign::CampaignProgress& progress);
  /// Leaves the terminal's line clean for what follows.
  void end();

 private:
  using Clock = std::chrono::steady_clock;

  bool terminal_;
  bool drawn_ = false;
  Clock::time_point start_;
  Clock::time_point last_;
};

}  // namespace trestle::cli
