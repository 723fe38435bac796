#include "studies/campaign/recalled_reference.h"

#include <algorithm>

namespace trestle::campaign {

void RecalledReference::record(std::span<double> row) const noexcept {
  const std::span<const double> kept = rows_->row(step_);
  std::copy(kept.begin(), kept.end(), row.begin());
}

}  // namespace trestle::campaign
