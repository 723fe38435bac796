#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "core/journal/ring_file.h"
#include "core/journal/state_buffer.h"

namespace trestle::journal {

/// The newest state of a node on its way to the journal. Buffers stand in the ring file;
/// where a state no longer fits, a larger buffer is added and the older one stays in use by
/// the writing thread until it takes from the new one.
///
/// save() belongs to one thread, take(), taken() and discard_taken() to one other.
class StateQueue {
 public:
  /// Neither waits nor allocates where a buffer of that size exists.
  /// @throws std::runtime_error where the ring file has no room for a larger buffer;
  ///         std::length_error where the state grows without a limit
  void save(RingFile& rings, std::int64_t step, std::span<const double> state);

  /// Keeps the newest state that was not taken before, if there is one.
  void take() noexcept;
  const std::optional<StateBuffer::View>& taken() const noexcept { return taken_; }
  void discard_taken() noexcept { taken_.reset(); }

 private:
  static constexpr std::size_t kMaxBuffers = 16;

  StateBuffer& make_buffer(RingFile& rings, std::size_t values);

  std::array<std::unique_ptr<StateBuffer>, kMaxBuffers> buffers_;  // each larger
  std::size_t count_ = 0;
  std::uint64_t sequence_ = 0;
  std::atomic<StateBuffer*> current_{nullptr};
  std::optional<StateBuffer::View> taken_;
};

}  // namespace trestle::journal
