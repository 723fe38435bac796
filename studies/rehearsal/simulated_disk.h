#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/time.h"
#include "core/ports/clock.h"
#include "core/types/message.h"
#include "studies/rehearsal/memory_session.h"

namespace trestle::rehearsal {

struct MemoryStoreSettings {
  Duration sync_delay{};   ///< from the wish to the end of a sync
  Duration sync_period{};  ///< period of automatic syncs; zero: only on request
};

/// Simulates the disk of a node's journal in memory; it outlives the node.
///
/// All pushed data survives the death of the process, like the journal's rings in mapped
/// memory. Data pushed before a completed sync also survives a loss of power. A node writes
/// it by MemoryRecorder.
class SimulatedDisk {
 public:
  /// @param clock  times the syncs; null: they complete immediately
  explicit SimulatedDisk(const MemoryStoreSettings& settings = {},
                         const Clock* clock = nullptr)
      : settings_(settings), clock_(clock) {}

  // --- faults ---

  /// The process dies. Nothing that was pushed is lost.
  void kill() noexcept { syncs_.clear(); }
  /// Removes all data that no sync has completed, except for this share, oldest first.
  void power_loss(double kept = 0.0);
  /// Limits the free space of the disk to `bytes` from now on.
  void disk_full_after(std::size_t bytes) noexcept { room_ = bytes; }
  /// Frees the disk for the next process of the node.
  void free_disk() noexcept { room_ = kBoundless; }

  // --- what it holds ---

  /// Null if the store has no such session. Stays valid as long as the store.
  const MemorySession* find(const SessionId& session) const noexcept;
  const std::vector<std::unique_ptr<MemorySession>>& sessions() const noexcept {
    return sessions_;
  }
  /// End of the next unfinished sync; TimePoint::max(): no sync is running.
  TimePoint next_sync(TimePoint now) const noexcept;
  /// Rows that were pushed twice or out of order, which is an error of the node.
  const std::vector<std::string>& ordering_errors() const noexcept { return disorders_; }
  bool full() const noexcept { return room_ == 0; }

 private:
  friend class MemoryRecorder;
  static constexpr std::size_t kBoundless = std::numeric_limits<std::size_t>::max();

  struct Sync {
    std::uint64_t ticket = 0;
    std::uint64_t number = 0;  // told before it
    TimePoint done{};
  };

  MemorySession& begin(const SessionId& session);
  MemorySession* held(const SessionId& session) noexcept;
  /// @returns number of this entry; 0: the disk is full
  std::uint64_t take(std::size_t bytes);
  std::uint64_t sync();
  bool synced(std::uint64_t ticket);
  void sync_now() noexcept;
  void settle();
  TimePoint now() const noexcept { return clock_ == nullptr ? TimePoint{} : clock_->now(); }

  MemoryStoreSettings settings_;
  const Clock* clock_;
  std::vector<std::unique_ptr<MemorySession>> sessions_;
  std::deque<Sync> syncs_;
  std::vector<std::string> disorders_;
  TimePoint last_sync_{};
  std::size_t room_ = kBoundless;
  std::uint64_t told_ = 0;         // in all
  std::uint64_t safe_ = 0;         // number, from the first, that survive power loss
  std::uint64_t tickets_ = 0;      // given out
  std::uint64_t done_ticket_ = 0;  // of the last sync that has ended
};

}  // namespace trestle::rehearsal
