#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace trestle::journal {

/// What is known of the rows of a stream from `first` to `first + rows - 1` without reading
/// them: per channel the smallest and the largest value (NaN: no row has a number), and the
/// first row that is there.
struct Extent {
  std::int64_t first = 0;  ///< a multiple of `rows`
  std::int64_t rows = 0;   ///< one of kExtentRows
  std::span<const double> low;
  std::span<const double> high;
  std::span<const double> begin;
};

/// Lengths of the extents that a journal has, each a multiple of the one before.
inline constexpr std::array<std::int64_t, 2> kExtentRows{256, 4096};

/// Makes the extents of one stream and one length from its rows, as they are written.
///
/// Makes none of rows that it did not see from their beginning on, so that an extent is
/// never wrong: after a restart in the middle of one, or after a transaction that was taken
/// back. Makes none of a stream that has few rows for its indices.
class ExtentBuilder {
 public:
  using Take = std::function<void(const Extent&)>;

  /// @param channels  values per row
  /// @param rows      one of kExtentRows
  ExtentBuilder(std::size_t channels, std::int64_t rows);

  /// The next row. Gives the extent before if this row is the first one behind it.
  /// @param before  index of the row before, as the journal has it; nothing: none
  /// @param row     in the layout of row_layout.h; its index is above `before`
  void add(std::optional<std::int64_t> before, std::span<const std::byte> row,
           const Take& take);

 private:
  std::int64_t first_of(std::int64_t index) const noexcept;
  void give(const Take& take);
  void begin(std::int64_t first, std::span<const std::byte> values);
  void include(std::span<const std::byte> values);

  std::int64_t rows_;
  std::int64_t first_ = 0;            // of the present extent
  std::int64_t count_ = 0;            // of its rows so far
  bool whole_ = false;                // seen from its first row on
  std::optional<std::int64_t> last_;  // index seen last
  std::vector<double> low_;
  std::vector<double> high_;
  std::vector<double> begin_;
};

}  // namespace trestle::journal
