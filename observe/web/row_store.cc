#include "observe/web/row_store.h"

#include <algorithm>
#include <utility>

#include "core/journal/journal_reader.h"

namespace trestle::web {
namespace {

constexpr std::size_t kFewestRows = 256;

}  // namespace

RowStore::RowStore(std::string journal, std::string stream, std::size_t channels,
                   std::size_t bytes)
    : journal_(std::move(journal)),
      stream_(std::move(stream)),
      channels_(channels),
      room_(std::max(bytes / ((channels + 1) * sizeof(double)), kFewestRows)) {}

void RowStore::add(const RecordRow& row) {
  if (indices_.size() < room_ && next_ == indices_.size()) {
    // Memory is taken as rows come: a short record needs little.
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
    take(*row);
  }
  return std::max(from, std::min(to, *committed) + 1);
}

}  // namespace trestle::web
