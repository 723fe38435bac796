#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include "core/types/record.h"

namespace trestle::evaluation {

/// How exactly the numerical part was computed, as far as its record has it.
struct ComputationQuality {
  /// Largest force that the iterations of a step left unbalanced [N | N·m]; NaN: not
  /// recorded.
  double residual = std::numeric_limits<double>::quiet_NaN();
  std::int64_t residual_step = 0;
  /// Work of all loads less all other work at the last step, over the input; NaN: not
  /// recorded.
  double energy_balance = std::numeric_limits<double>::quiet_NaN();
};

/// Watches the columns of a record that tell it. add() does not allocate.
class QualityTracker {
 public:
  explicit QualityTracker(const Channels& channels) {
    for (std::size_t i = 0; i < channels.size(); ++i) {
      if (channels[i].name == "residual_N") residual_ = i;
      if (channels[i].name == "energy.balance") balance_ = i;
    }
  }

  /// @param row  one value per channel
  void add(std::int64_t step, std::span<const double> row) noexcept {
    if (balance_) quality_.energy_balance = row[*balance_];
    if (!residual_ || std::abs(row[*residual_]) <= quality_.residual) return;
    quality_.residual = std::abs(row[*residual_]);
    quality_.residual_step = step;
  }

  const ComputationQuality& quality() const noexcept { return quality_; }

 private:
  std::optional<std::size_t> residual_;
  std::optional<std::size_t> balance_;
  ComputationQuality quality_;
};

}  // namespace trestle::evaluation
