#include "observe/web/bucket_frame.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace trestle::web {
namespace {

static_assert(std::endian::native == std::endian::little,
              "frames are little-endian, and so are the hosts of today");

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

template <typename Number>
void append_bytes(std::string& into, Number number) {
  into.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void append_values(std::string& into, const std::vector<double>& values,
                   std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    append_bytes(into, i < values.size() ? values[i] : kNoValue);
}

}  // namespace

BucketFrame::BucketFrame(Layout layout)
    : layout_(std::move(layout)),
      low_(layout_.columns.size()),
      high_(layout_.columns.size()) {}

void BucketFrame::add(const RecordRow& row) {
  add(row.index, row.values, row.values, row.values);
}

void BucketFrame::add(std::int64_t first, std::span<const double> low,
                      std::span<const double> high, std::span<const double> begin) {
  if (first < layout_.first) return;
  const std::int64_t bucket = (first - layout_.first) / layout_.rows_per_bucket;
  const auto at = static_cast<std::size_t>(bucket);
  const bool begins = bucket != filled_;
  filled_ = bucket;
  const bool first_row = layout_.reduce == Reduce::kFirstRow;
  if (!begins && first_row) return;
  for (std::size_t i = 0; i < layout_.columns.size(); ++i) {
    if (low_[i].size() <= at) low_[i].resize(at + 1, kNoValue);
    if (!is_single() && high_[i].size() <= at) high_[i].resize(at + 1, kNoValue);
    const std::size_t column = layout_.columns[i];
    const double lowest = first_row ? begin[column] : low[column];
    // fmin and fmax pass over NaN.
    low_[i][at] = begins ? lowest : std::fmin(low_[i][at], lowest);
    if (!is_single())
      high_[i][at] = begins ? high[column] : std::fmax(high_[i][at], high[column]);
  }
}

std::string BucketFrame::bytes(std::uint32_t count) const {
  std::string frame = "TRW1";
  const std::size_t arrays = layout_.columns.size() * (is_single() ? 1 : 2);
  frame.reserve(24 + arrays * count * sizeof(double));
  append_bytes(frame, layout_.id);
  append_bytes(frame, static_cast<std::uint16_t>(layout_.columns.size()));
  append_bytes(frame, layout_.first);
  append_bytes(frame, layout_.rows_per_bucket);
  append_bytes(frame, count);
  for (std::size_t i = 0; i < layout_.columns.size(); ++i) {
    append_values(frame, low_[i], count);
    if (!is_single()) append_values(frame, high_[i], count);
  }
  return frame;
}

}  // namespace trestle::web
