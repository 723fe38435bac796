#pragma once

#include <optional>

#include "core/timing/clock_offset_estimator.h"
#include "core/types/sync_timestamps.h"
#include "core/types/system_clock_reading.h"

namespace trestle::timing {

/// One end's book of the stamps that ride on messages to and from one other node, and what
/// it makes of them: that node's clock.
class PeerClock {
 public:
  /// @param shares_clock  both ends read one clock: offset and bound are zero, exactly
  explicit PeerClock(bool shares_clock = false) : shares_clock_(shares_clock) {}

  /// For a message that is about to be encoded.
  SyncTimestamps outgoing(TimePoint now) const noexcept {
    return {now, heard_sent_, heard_received_};
  }

  /// Takes the stamps of a received message.
  void incoming(const SyncTimestamps& stamps, TimePoint received) noexcept {
    if (stamps.transmit == TimePoint{}) return;
    heard_sent_ = stamps.transmit;
    heard_received_ = received;
    if (shares_clock_ || stamps.origin == TimePoint{}) return;
    clock_.add({stamps.origin, stamps.receive, stamps.transmit, received});
    ++exchanges_;
  }

  /// From now on by the hosts' system clocks, and no longer by the exchanges.
  void use_system_clocks(bool system) noexcept { by_system_ = system; }

  /// The other's reading came with a heartbeat, ours was made at the same time or before.
  void update_from_system_clocks(const SystemClockReading& here,
                                 const SystemClockReading& there) noexcept {
    compared_ = here.own;
    systems_ = compare_system_clocks(here, there);
  }

  bool known() const noexcept {
    return shares_clock_ || (by_system_ ? systems_.has_value() : clock_.ready());
  }
  Duration offset(TimePoint own) const noexcept {
    if (shares_clock_) return Duration::zero();
    if (!by_system_) return clock_.offset(own);
    return systems_ ? systems_->offset : Duration::zero();
  }
  /// Duration::max() before the first exchange.
  Duration bound(TimePoint own) const noexcept {
    if (shares_clock_) return Duration::zero();
    if (!by_system_) return clock_.bound(own);
    if (!systems_) return Duration::max();
    // Two clocks of which each may be off by 200 ppm of true time.
    constexpr std::int64_t kParts = 2500;
    return systems_->bound + (own - compared_) / kParts;
  }
  TimePoint to_own(TimePoint other) const noexcept {
    if (shares_clock_) return other;
    return by_system_ ? other - offset({}) : clock_.to_own(other);
  }
  int exchanges() const noexcept { return exchanges_; }

  /// The other end was restarted.
  void restart() noexcept {
    clock_.restart();
    systems_.reset();
    heard_sent_ = heard_received_ = TimePoint{};
    exchanges_ = 0;
  }

 private:
  bool shares_clock_;
  ClockOffsetEstimator clock_;
  TimePoint heard_sent_{};
  TimePoint heard_received_{};
  int exchanges_ = 0;
  bool by_system_ = false;
  std::optional<SystemClockComparison> systems_;
  TimePoint compared_{};
};

}  // namespace trestle::timing
