#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace trestle::journal {

/// The newest complete state of a node, passed from the thread that has it to the writer
/// thread. It has three places: one is being filled, one is the newest, one is being
/// written. Neither thread waits or sees an incomplete state; nor does the next process
/// after a kill, if the memory outlives it.
class StateBuffer {
 public:
  struct View {
    std::uint64_t sequence = 0;
    std::int64_t step = 0;
    std::span<const double> values;
  };

  /// Returns the bytes of memory that states of `values` values need.
  static std::size_t area_bytes(std::size_t values) noexcept;

  /// @param memory  area_bytes(values), on a cache line; all zero, or left behind
  StateBuffer(std::size_t values, std::span<std::byte> memory) noexcept;

  std::size_t capacity() const noexcept { return values_; }

  /// The thread that has the state. @pre values.size() <= capacity()
  /// @param sequence  above that of every state before
  void put(std::uint64_t sequence, std::int64_t step,
           std::span<const double> values) noexcept;

  /// The thread that writes it: what is newest, where it was not taken before. Stands until
  /// the next take() that gives something.
  std::optional<View> take() noexcept;

  /// Returns the newest complete state in memory that a dead process left. @pre no other
  /// thread uses it
  std::optional<View> newest() const noexcept;

 private:
  struct Head;

  Head& head(std::uint32_t slot) const noexcept;
  View view(std::uint32_t slot) const noexcept;

  std::size_t values_;
  std::span<std::byte> memory_;
  std::atomic<std::uint32_t>* middle_;  // slot, and whether it is new
  std::uint32_t back_ = 1;
  std::uint32_t front_ = 2;
};

}  // namespace trestle::journal
