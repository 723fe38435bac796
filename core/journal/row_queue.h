#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/journal/queue_memory.h"
#include "core/ports/row_sink.h"

namespace trestle::journal {

/// Rows on their way from the thread that makes them to the one that writes them.
///
/// One thread pushes, one takes; neither ever waits for the other. All room is made in the
/// constructor. Rows stand in it as in the journal (row_layout.h), so that they are written
/// without another copy. A row counts from the moment it is complete: a writer killed in
/// the middle of push() leaves no half row.
class RowQueue final : public RowSink {
 public:
  /// Returns the bytes of memory that `rows` rows need.
  static std::size_t area_bytes(std::size_t channels, std::size_t rows) noexcept;

  /// @param channels  values per row
  /// @param rows      room, at least 1
  RowQueue(std::size_t channels, std::size_t rows);
  /// @param area  of area_bytes(channels, rows)
  RowQueue(std::size_t channels, std::size_t rows, QueueMemory area);

  // --- the thread that makes rows ---

  /// A row without room is counted. After mark_failed() rows are still taken while there is
  /// room, for a last attempt to write them, but the answer is false.
  bool push(const RecordRow& row) noexcept override;

  // --- the thread that writes them ---

  /// The rows inside, oldest first, in at most two pieces; valid until pop().
  std::array<std::span<const std::byte>, 2> rows() const noexcept;

  /// Gives the room of the oldest rows back.
  /// @pre count <= size()
  void pop(std::size_t count) noexcept;

  /// From now on push() answers false: the record can no longer be kept.
  void mark_failed() noexcept { abandoned_.store(true, std::memory_order_relaxed); }

  // --- any thread ---

  std::size_t capacity() const noexcept { return capacity_; }
  std::size_t row_bytes() const noexcept { return row_bytes_; }

  /// Rows inside; the other thread may have changed that already.
  std::size_t size() const noexcept;

  /// Rows that found no room.
  std::uint64_t lost() const noexcept {
    return counters_->lost.load(std::memory_order_relaxed);
  }

 private:
  std::byte* slot(std::uint64_t row) noexcept;

  std::size_t capacity_;
  std::size_t row_bytes_;
  QueueMemory area_;
  RingCounters* counters_;
  std::span<std::byte> storage_;
  alignas(RingCounters::kCacheLine) std::uint64_t popped_seen_;  // at the last look
  alignas(RingCounters::kCacheLine) std::atomic<bool> abandoned_{false};
};

}  // namespace trestle::journal
