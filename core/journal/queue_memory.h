#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace trestle::journal {

/// Total numbers of pushed and popped entries; their difference is the content. Each
/// counter has a separate cache line, to keep the two threads apart. All zero: an empty
/// ring.
struct RingCounters {
  static constexpr std::size_t kCacheLine = 64;
  alignas(kCacheLine) std::atomic<std::uint64_t> pushed;
  alignas(kCacheLine) std::atomic<std::uint64_t> popped;
  alignas(kCacheLine) std::atomic<std::uint64_t> lost;  ///< found no room
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free,
              "the counters are read by the next life of the process");

/// The memory of one ring: its counters, then its content. On the heap, or in a file that
/// outlives the process (RingFile); there what was inside is inside again.
class QueueMemory {
 public:
  static std::size_t bytes(std::size_t content) noexcept {
    return sizeof(RingCounters) + content;
  }

  /// On the heap; empty.
  explicit QueueMemory(std::size_t content)
      : owned_((bytes(content) + sizeof(Line) - 1) / sizeof(Line)),
        memory_(reinterpret_cast<std::byte*>(owned_.data()), bytes(content)) {}

  /// Uses external memory, which outlives this object, starts on a cache line, and is all
  /// zero or belonged to a ring before.
  explicit QueueMemory(std::span<std::byte> memory) : memory_(memory) {}

  QueueMemory(QueueMemory&&) noexcept = default;
  QueueMemory& operator=(QueueMemory&&) noexcept = default;
  QueueMemory(const QueueMemory&) = delete;
  QueueMemory& operator=(const QueueMemory&) = delete;
  ~QueueMemory() = default;

  RingCounters& counters() const noexcept {
    return *reinterpret_cast<RingCounters*>(memory_.data());
  }
  std::span<std::byte> content() const noexcept {
    return memory_.subspan(sizeof(RingCounters));
  }

 private:
  struct Line {
    alignas(RingCounters::kCacheLine) std::byte bytes[RingCounters::kCacheLine];
  };

  std::vector<Line> owned_;
  std::span<std::byte> memory_;
};

}  // namespace trestle::journal
