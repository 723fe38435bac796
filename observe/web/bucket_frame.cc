#include "observe/web/bucket_frame.h"

#include <bit>
#include <cstring>
#include <limits>
#include <utility>

namespace trestle::web {
namespace {

static_assert(std::endian::native == std::endian::little,
              "frames are little-endian, and so are the hosts of today");

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinite = std::numeric_limits<double>::infinity();

template <typename Number>
void append_bytes(std::string& into, Number number) {
  into.append(reinterpret_cast<const char*>(&number), sizeof number);
}

}  // namespace

BucketFrame::BucketFrame(Layout layout) : layout_(std::move(layout)) {}

void BucketFrame::add(const RecordRow& row) {
  add(row.index, row.values, row.values, row.values);
}

/// Buckets without a row hold no value.
void BucketFrame::begin_buckets(std::size_t count) {
  const std::size_t size = count * layout_.columns.size();
  low_.resize(size, is_single() ? kNoValue : kInfinite);
  if (!is_single()) high_.resize(size, -kInfinite);
}

void BucketFrame::add(std::int64_t first, std::span<const double> low,
                      std::span<const double> high, std::span<const double> begin) {
  if (first < layout_.first) return;
  const std::int64_t bucket = (first - layout_.first) / layout_.rows_per_bucket;
  const bool begins = bucket != filled_;
  const bool first_row = layout_.reduce == Reduce::kFirstRow;
  if (!begins && first_row) return;
  filled_ = bucket;
  const auto at = static_cast<std::size_t>(bucket);
  if (begins) begin_buckets(at + 1);
  const std::size_t count = layout_.columns.size();
  double* const lowest = low_.data() + at * count;
  if (is_single()) {
    for (std::size_t i = 0; i < count; ++i)
      lowest[i] = first_row ? begin[layout_.columns[i]] : low[layout_.columns[i]];
    return;
  }
  double* const highest = high_.data() + at * count;
  // NaN is below and above nothing: it is passed over.
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t column = layout_.columns[i];
    if (low[column] < lowest[i]) lowest[i] = low[column];
    if (high[column] > highest[i]) highest[i] = high[column];
  }
}

std::string BucketFrame::bytes(std::uint32_t count) const {
  const std::size_t channels = layout_.columns.size();
  const std::size_t arrays = channels * (is_single() ? 1 : 2);
  std::string frame = "TRW1";
  frame.reserve(24 + arrays * count * sizeof(double));
  append_bytes(frame, layout_.id);
  append_bytes(frame, static_cast<std::uint16_t>(channels));
  append_bytes(frame, layout_.first);
  append_bytes(frame, layout_.rows_per_bucket);
  append_bytes(frame, count);
  for (std::size_t i = 0; i < channels; ++i)
    for (const std::vector<double>* const side : {&low_, &high_}) {
      if (side == &high_ && is_single()) break;
      for (std::size_t at = i; at < count * channels; at += channels) {
        const bool has = at < low_.size() && (is_single() || low_[at] <= high_[at]);
        append_bytes(frame, has ? (*side)[at] : kNoValue);
      }
    }
  return frame;
}

}  // namespace trestle::web
