#pragma once

#include <cstdint>

#include "core/base/random.h"
#include "core/base/time.h"
#include "core/network/link_settings.h"

namespace trestle::network {

/// From `begin` on, and over at `end`.
struct Outage {
  TimePoint begin = TimePoint::max();
  TimePoint end = TimePoint::max();
};

/// When a link pauses: a function of settings, seed, stream and channel. Pauses that
/// overlap are one.
class OutageSchedule {
 public:
  /// @param place  whose random numbers are drawn; its index counts the pauses
  OutageSchedule(const OutagePattern& settings, const RandomKey& place) noexcept;

  /// Returns the outage at this time, otherwise the next one; its begin is TimePoint::max()
  /// if none follows.
  /// @pre `time` is not before that of the last call
  const Outage& next_at(TimePoint time) noexcept;

 private:
  Duration gap() noexcept;
  void next() noexcept;

  Duration every_;
  Duration duration_;
  bool regular_;
  RandomKey place_;
  TimePoint next_begin_{};
  Outage pause_;
};

}  // namespace trestle::network
