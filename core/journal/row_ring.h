#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/ports/step_sink.h"

namespace trestle {

/// Rows on their way from the thread that makes them to the one that writes them.
///
/// One thread pushes, one takes; neither ever waits for the other. All room is made in the
/// constructor. Rows stand in it as in the journal (row_layout.h), so that they are written
/// without another copy.
class RowRing final : public StepSink {
 public:
  /// @param channels  values per row
  /// @param rows      room, at least 1
  RowRing(std::size_t channels, std::size_t rows);

  // --- the thread that makes rows ---

  /// A row without room is counted. After abandon() rows are still taken while there is
  /// room, for a last attempt to write them, but the answer is false.
  bool push(const RecordRow& row) noexcept override;

  // --- the thread that writes them ---

  /// The rows inside, oldest first, in at most two pieces; valid until pop().
  std::array<std::span<const std::byte>, 2> rows() const noexcept;

  /// Gives the room of the oldest rows back.
  /// @pre count <= size()
  void pop(std::size_t count) noexcept;

  /// From now on push() answers false: the record can no longer be kept.
  void abandon() noexcept { abandoned_.store(true, std::memory_order_relaxed); }

  // --- any thread ---

  std::size_t capacity() const noexcept { return capacity_; }
  std::size_t row_bytes() const noexcept { return row_bytes_; }

  /// Rows inside; the other thread may have changed that already.
  std::size_t size() const noexcept;

  /// Rows that found no room.
  std::uint64_t lost() const noexcept { return lost_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::size_t kCacheLine =
      64;  // keeps the two threads out of each other's

  std::byte* slot(std::uint64_t row) noexcept;

  std::size_t capacity_;
  std::size_t row_bytes_;
  std::vector<std::byte> storage_;
  // Rows ever pushed and ever popped; their difference is what is inside.
  alignas(kCacheLine) std::atomic<std::uint64_t> pushed_{0};
  std::uint64_t popped_seen_ = 0;  // the pushing thread's last look at popped_
  alignas(kCacheLine) std::atomic<std::uint64_t> popped_{0};
  alignas(kCacheLine) std::atomic<std::uint64_t> lost_{0};
  std::atomic<bool> abandoned_{false};
};

}  // namespace trestle
