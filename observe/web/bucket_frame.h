#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/types/record.h"

namespace trestle::web {

/// What is kept of the rows of a bucket.
enum class Reduce {
  kExtremes,  ///< smallest and largest value
  kFirstRow   ///< the first row, so that values of two channels belong together
};

/// One binary frame of the live page (docs/reference/live-messages.md): rows reduced to
/// buckets of equal length. A bucket without a value holds NaN.
class BucketFrame {
 public:
  struct Layout {
    std::uint16_t id = 0;              ///< of the subscription
    std::vector<std::size_t> columns;  ///< of a row, in the order of the subscription
    std::int64_t first = 0;            ///< index of the first row
    std::uint32_t rows_per_bucket = 1;
    Reduce reduce = Reduce::kExtremes;
  };

  explicit BucketFrame(Layout layout);

  /// Rows come in ascending order of index; those below the first one are passed over.
  void add(const RecordRow& row);

  /// Rows together, of which only this is known. They lie in one bucket; rows and extents
  /// come in ascending order.
  /// @param first  index of the first one
  /// @param low, high, begin  per channel of a row: smallest and largest value, first row
  void add(std::int64_t first, std::span<const double> low, std::span<const double> high,
           std::span<const double> begin);

  /// The frame with `count` buckets.
  std::string bytes(std::uint32_t count) const;

 private:
  bool is_single() const noexcept {
    return layout_.rows_per_bucket == 1 || layout_.reduce == Reduce::kFirstRow;
  }

  void begin_buckets(std::size_t count);

  Layout layout_;
  std::int64_t filled_ = -1;  // bucket of the row before
  std::vector<double> low_;   // bucket by bucket, a value per channel; above high_: none
  std::vector<double> high_;
};

}  // namespace trestle::web
