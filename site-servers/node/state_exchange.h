#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <vector>

#include "core/base/snapshot.h"

namespace trestle::site_node {

/// States of loop and rig on their way from the control thread to the node's. Neither
/// thread waits for the other; a place keeps its room.
class StateExchange {
 public:
  static constexpr int kPlaces = 8;

  // --- the control thread ---

  /// A free place; −1: the node is behind, and has all of them.
  int free() const noexcept {
    for (int place = 0; place < kPlaces; ++place)
      if (!at(place).full.load(std::memory_order_acquire)) return place;
    return -1;
  }
  /// To be written. @pre the place is free
  SnapshotWriter& snapshot(int place) noexcept { return at(place).snapshot; }
  /// The node has it to read from now on.
  void publish(int place) noexcept {
    at(place).full.store(true, std::memory_order_release);
  }

  // --- the node's thread ---

  /// Takes it once. @returns false if there is none
  bool take(int place, std::vector<double>& into) {
    if (place < 0 || place >= kPlaces) return false;
    into = at(place).snapshot.values();
    at(place).full.store(false, std::memory_order_release);
    return true;
  }

 private:
  struct Slot {
    std::atomic<bool> full{false};  // the node has it to read, else the loop to write
    SnapshotWriter snapshot;
  };
  Slot& at(int place) noexcept { return slots_[static_cast<std::size_t>(place)]; }
  const Slot& at(int place) const noexcept {
    return slots_[static_cast<std::size_t>(place)];
  }

  std::array<Slot, kPlaces> slots_;
};

}  // namespace trestle::site_node
