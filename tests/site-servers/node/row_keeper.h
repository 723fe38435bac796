#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/ports/row_sink.h"

namespace trestle::testing {

/// Keeps every row, in room that was made beforehand.
class RowKeeper final : public RowSink {
 public:
  RowKeeper() { rows.reserve(4096); }

  bool push(const RecordRow& row) noexcept override {
    if (full) return false;
    rows.emplace_back(row.index, std::vector<double>(row.values.begin(), row.values.end()));
    return true;
  }

  bool full = false;
  std::vector<std::pair<std::int64_t, std::vector<double>>> rows;
};

}  // namespace trestle::testing
