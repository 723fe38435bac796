#include "core/journal/row_queue.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "core/journal/row_layout.h"
#include "core/journal/shared_words.h"

namespace trestle::journal {

std::size_t RowQueue::area_bytes(std::size_t channels, std::size_t rows) noexcept {
  return QueueMemory::bytes(std::max<std::size_t>(rows, 1) *
                            trestle::journal::row_bytes(channels));
}

RowQueue::RowQueue(std::size_t channels, std::size_t rows)
    : RowQueue(channels, rows,
               QueueMemory(std::max<std::size_t>(rows, 1) *
                           trestle::journal::row_bytes(channels))) {}

RowQueue::RowQueue(std::size_t channels, std::size_t rows, QueueMemory area)
    : capacity_(std::max<std::size_t>(rows, 1)),
      row_bytes_(trestle::journal::row_bytes(channels)),
      area_(std::move(area)),
      counters_(&area_.counters()),
      storage_(area_.content()),
      popped_seen_(counters_->popped.load(std::memory_order_relaxed)) {
  assert(storage_.size() >= capacity_ * row_bytes_);
}

bool RowQueue::push(const RecordRow& row) noexcept {
  assert(trestle::journal::row_bytes(row.values.size()) == row_bytes_);
  const std::uint64_t at = counters_->pushed.load(std::memory_order_relaxed);
  if (at - popped_seen_ == capacity_) {
    popped_seen_ = counters_->popped.load(std::memory_order_acquire);
    if (at - popped_seen_ == capacity_) {
      counters_->lost.fetch_add(1, std::memory_order_relaxed);
      return false;
    }
  }
  std::byte* const to = slot(at);
  write_shared_words(to, &row.index, sizeof row.index);
  if (!row.values.empty())
    write_shared_words(to + sizeof row.index, row.values.data(), row.values.size_bytes());
  counters_->pushed.store(at + 1, std::memory_order_release);
  return !abandoned_.load(std::memory_order_relaxed);
}

std::array<std::span<const std::byte>, 2> RowQueue::rows() const noexcept {
  const std::uint64_t begin = counters_->popped.load(std::memory_order_relaxed);
  const std::uint64_t end = counters_->pushed.load(std::memory_order_acquire);
  const auto first = static_cast<std::size_t>(begin % capacity_);
  const auto count = static_cast<std::size_t>(end - begin);
  const std::size_t straight = std::min(count, capacity_ - first);
  const std::span<const std::byte> all = storage_;
  return {all.subspan(first * row_bytes_, straight * row_bytes_),
          all.first((count - straight) * row_bytes_)};
}

void RowQueue::pop(std::size_t count) noexcept {
  assert(count <= size());
  counters_->popped.store(counters_->popped.load(std::memory_order_relaxed) + count,
                          std::memory_order_release);
}

std::size_t RowQueue::size() const noexcept {
  // Popped first: the difference is then never negative, for any thread.
  const std::uint64_t popped = counters_->popped.load(std::memory_order_acquire);
  return static_cast<std::size_t>(counters_->pushed.load(std::memory_order_acquire) -
                                  popped);
}

std::byte* RowQueue::slot(std::uint64_t row) noexcept {
  return storage_.data() + static_cast<std::size_t>(row % capacity_) * row_bytes_;
}

}  // namespace trestle::journal
