#pragma once

#include "core/base/snapshot.h"

namespace trestle::compensators {

/// Decides whether a signal is large enough for adaptation: its root mean square, fading
/// over one second, exceeds a floor.
class ExcitationGate {
 public:
  /// @param floor  >= 0; 0: always open
  /// @param tick   [s]
  ExcitationGate(double floor, double tick) noexcept
      : floor_(floor * floor), fresh_(tick < kMemory ? tick / kMemory : 1.0) {}

  void reset() noexcept { power_ = 0.0; }

  /// @returns whether it is open
  bool pass(double signal) noexcept {
    power_ += fresh_ * (signal * signal - power_);
    return floor_ == 0.0 || power_ > floor_;
  }

  void save(SnapshotWriter& snapshot) const { snapshot.add(power_); }
  void restore(SnapshotReader& snapshot) { power_ = snapshot.next(); }

 private:
  static constexpr double kMemory = 1.0;  // [s]

  double floor_;
  double fresh_;
  double power_ = 0.0;
};

}  // namespace trestle::compensators
