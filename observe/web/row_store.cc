#include "observe/web/row_store.h"

#include <algorithm>
#include <utility>

#include "core/journal/extent_builder.h"

namespace trestle::web {
namespace {

constexpr std::size_t kFewestRows = 256;

}  // namespace

RowStore::RowStore(std::string journal, std::string stream, std::size_t channels,
                   std::size_t bytes)
    : journal_(std::move(journal)),
      stream_(std::move(stream)),
      channels_(channels),
      room_(std::max(bytes / ((channels + 1) * sizeof(double)), kFewestRows)) {
  // Addresses alone: memory is taken as rows come, and nothing is copied to grow.
  indices_.reserve(room_);
  values_.reserve(room_ * channels_);
}

void RowStore::add(const RecordRow& row) {
  if (indices_.size() < room_ && next_ == indices_.size()) {
    indices_.push_back(row.index);
    values_.insert(values_.end(), row.values.begin(), row.values.end());
  } else {
    if (count_ == room_) evicted_ = indices_[next_];
    indices_[next_] = row.index;
    std::copy(row.values.begin(), row.values.end(),
              values_.begin() + static_cast<std::ptrdiff_t>(next_ * channels_));
  }
  next_ = (next_ + 1) % room_;
  count_ = std::min(count_ + 1, room_);
}

std::size_t RowStore::place(std::size_t age) const noexcept {
  return count_ < room_ ? age : (next_ + age) % room_;
}

std::optional<std::int64_t> RowStore::newest() const noexcept {
  if (count_ == 0) return std::nullopt;
  return indices_[place(count_ - 1)];
}

std::size_t RowStore::lower_bound(std::int64_t from) const noexcept {
  std::size_t low = 0;
  std::size_t high = count_;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (indices_[place(middle)] < from)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

std::int64_t RowStore::visit(std::int64_t from, std::int64_t to,
                             const TakeRow& take) const {
  if (count_ == 0) return from;
  if (from <= evicted_) {
    const std::int64_t reached = visit_journal(from, std::min(to, evicted_), take);
    if (reached <= std::min(to, evicted_)) return reached;
    from = reached;
  }
  for (std::size_t age = lower_bound(from); age < count_; ++age) {
    const std::size_t at = place(age);
    if (indices_[at] > to) break;
    take({indices_[at],
          std::span<const double>(values_).subspan(at * channels_, channels_)});
  }
  return std::max(from, std::min(to, *newest()) + 1);
}

std::int64_t RowStore::visit_journal(std::int64_t from, std::int64_t to,
                                     const TakeRow& take) const {
  const journal::JournalReader reader(journal_);
  const std::optional<std::int64_t> committed = reader.newest_index(stream_);
  if (!committed) return from;
  journal::RowCursor rows = reader.rows_after(stream_, from - 1);
  while (const std::optional<RecordRow> row = rows.next()) {
    if (row->index > to) break;
    values_read_ += channels_ + 1;
    take(*row);
  }
  return std::max(from, std::min(to, *committed) + 1);
}

std::int64_t RowStore::extent_rows(std::int64_t per) noexcept {
  std::int64_t longest = 0;
  for (const std::int64_t rows : journal::kExtentRows)
    if (per % rows == 0) longest = rows;
  return longest;
}

std::int64_t RowStore::reduce(std::int64_t from, std::int64_t to, std::int64_t per,
                              std::uint64_t most_values, BucketFrame& into) const {
  if (count_ == 0) return from;
  if (from <= evicted_) {
    const std::int64_t last = std::min(to, evicted_);
    Reduction reduction{from, from, per, values_read_ + most_values, false};
    reduce_journal(last, reduction, into);
    if (reduction.over || reduction.next <= last) return reduction.next;
    from = reduction.next;
    if (from > to) return from;
  }
  return visit(from, to, [&](const RecordRow& row) { into.add(row); });
}

void RowStore::reduce_journal(std::int64_t to, Reduction& reduction,
                              BucketFrame& into) const {
  const journal::JournalReader reader(journal_);
  const std::optional<std::int64_t> committed = reader.newest_index(stream_);
  if (!committed) return;
  to = std::min(to, *committed);
  reader.visit_extents(stream_, extent_rows(reduction.per), reduction.next, to,
                       [&](const journal::Extent& extent) {
                         reduce_rows(reader, extent.first - 1, reduction, into);
                         if (reduction.over) return false;
                         into.add(extent.first, extent.low, extent.high, extent.begin);
                         values_read_ += 3 * channels_;
                         reduction.next = extent.first + extent.rows;
                         reduction.over = is_over(reduction);
                         return !reduction.over;
                       });
  if (!reduction.over) reduce_rows(reader, to, reduction, into);
}

/// Rows that no extent includes: of a part that is not whole, or of an older version.
void RowStore::reduce_rows(const journal::JournalReader& reader, std::int64_t to,
                           Reduction& reduction, BucketFrame& into) const {
  if (reduction.next > to) return;
  journal::RowCursor rows = reader.rows_after(stream_, reduction.next - 1);
  while (const std::optional<RecordRow> row = rows.next()) {
    if (row->index > to) break;
    const std::int64_t bucket = (row->index - reduction.begin) / reduction.per;
    const std::int64_t first = reduction.begin + bucket * reduction.per;
    if (first >= reduction.next) {
      // The bucket before this row is whole, whatever rows it has.
      reduction.next = first;
      reduction.over = is_over(reduction);
      if (reduction.over) return;
    }
    values_read_ += channels_ + 1;
    into.add(*row);
    reduction.next = row->index + 1;
  }
  reduction.next = to + 1;
}

bool RowStore::is_over(const Reduction& reduction) const noexcept {
  const std::int64_t done = reduction.next - reduction.begin;
  return values_read_ > reduction.most && done > 0 && done % reduction.per == 0;
}

}  // namespace trestle::web
