#include "core/journal/extent_builder.h"

#include <cstring>
#include <limits>

#include "core/journal/row_layout.h"

namespace trestle::journal {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
// An extent of fewer rows than this part of its length saves nothing.
constexpr std::int64_t kFewestPart = 4;

double value_at(std::span<const std::byte> values, std::size_t channel) {
  double value = 0.0;
  std::memcpy(&value, values.data() + channel * sizeof value, sizeof value);
  return value;
}

}  // namespace

ExtentBuilder::ExtentBuilder(std::size_t channels, std::int64_t rows)
    : rows_(rows), low_(channels), high_(channels), begin_(channels) {}

void ExtentBuilder::add(std::optional<std::int64_t> before, std::span<const std::byte> row,
                        const Take& take) {
  const std::int64_t index = row_index(row);
  const std::int64_t first = first_of(index);
  const std::span<const std::byte> values = row.subspan(sizeof index);
  const bool follows = last_ && before && *last_ == *before;
  if (!before || first_of(*before) != first) {
    if (whole_ && follows && count_ * kFewestPart >= rows_) give(take);
    begin(first, values);
  } else {
    // Rows of this extent were written without this builder, or taken back.
    whole_ = whole_ && follows;
  }
  last_ = index;
  if (!whole_) return;
  ++count_;
  include(values);
}

std::int64_t ExtentBuilder::first_of(std::int64_t index) const noexcept {
  const std::int64_t within = index % rows_;
  return index - (within < 0 ? within + rows_ : within);
}

void ExtentBuilder::begin(std::int64_t first, std::span<const std::byte> values) {
  first_ = first;
  count_ = 0;
  whole_ = true;
  for (std::size_t channel = 0; channel < low_.size(); ++channel) {
    low_[channel] = kInfinite;
    high_[channel] = -kInfinite;
    begin_[channel] = value_at(values, channel);
  }
}

// A value that is not a number is neither smaller nor larger than another.
// Each row of a record goes through here, twice: without branches, several at once.
void ExtentBuilder::include(std::span<const std::byte> values) {
  double* const __restrict low = low_.data();
  double* const __restrict high = high_.data();
  const std::size_t channels = low_.size();
  for (std::size_t channel = 0; channel < channels; ++channel) {
    const double value = value_at(values, channel);
    low[channel] = value < low[channel] ? value : low[channel];
    high[channel] = value > high[channel] ? value : high[channel];
  }
}

void ExtentBuilder::give(const Take& take) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t channel = 0; channel < low_.size(); ++channel)
    if (low_[channel] > high_[channel]) low_[channel] = high_[channel] = kNone;
  take({first_, rows_, low_, high_, begin_});
}

}  // namespace trestle::journal
