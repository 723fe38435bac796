#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/types/record.h"

namespace trestle::campaign {

/// The rows of a reference that a test copies, step by step: the row of step −1 (the
/// initial state) first.
struct ReferenceRows {
  Channels channels;
  std::vector<double> values;  ///< row by row

  std::span<const double> row(std::int64_t step) const noexcept {
    return std::span(values).subspan(static_cast<std::size_t>(step + 1) * channels.size(),
                                     channels.size());
  }
};

}  // namespace trestle::campaign
