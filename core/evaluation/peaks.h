#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/types/record.h"

namespace trestle::evaluation {

/// Largest magnitude of one column, with its sign, and when it was.
struct Peak {
  std::string channel;  ///< "roof_w.x.disp_m"
  double value = 0.0;
  std::int64_t step = 0;
};

/// Watches the displacement columns of a record for their peaks. The step path neither
/// allocates nor compares more than one number per column.
class PeakTracker {
 public:
  explicit PeakTracker(const Channels& channels) {
    for (std::size_t i = 0; i < channels.size(); ++i) {
      if (channels[i].name.find(".disp_") == std::string::npos) continue;
      columns_.push_back(i);
      peaks_.push_back({channels[i].name, 0.0, 0});
    }
  }

  /// @param row  one value per channel
  void add(std::int64_t step, std::span<const double> row) noexcept {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const double value = row[columns_[i]];
      if (std::abs(value) <= std::abs(peaks_[i].value)) continue;
      peaks_[i].value = value;
      peaks_[i].step = step;
    }
  }

  const std::vector<Peak>& peaks() const noexcept { return peaks_; }

 private:
  std::vector<std::size_t> columns_;
  std::vector<Peak> peaks_;
};

}  // namespace trestle::evaluation
