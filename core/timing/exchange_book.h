#pragma once

#include <optional>

#include "core/timing/session_clock.h"
#include "core/types/exchange.h"
#include "core/types/system_reading.h"

namespace trestle {

/// One end's book of the stamps that ride on messages to and from one other node, and what
/// it makes of them: that node's clock.
class ExchangeBook {
 public:
  /// @param same_clock  both ends read one clock: offset and bound are zero, exactly
  explicit ExchangeBook(bool same_clock = false) : same_clock_(same_clock) {}

  /// For a message that is about to be encoded.
  ExchangeStamps outgoing(TimePoint now) const noexcept {
    return {now, heard_sent_, heard_received_};
  }

  /// Of a message that has come.
  void incoming(const ExchangeStamps& stamps, TimePoint received) noexcept {
    if (stamps.sent == TimePoint{}) return;
    heard_sent_ = stamps.sent;
    heard_received_ = received;
    if (same_clock_ || stamps.heard_sent == TimePoint{}) return;
    clock_.add({stamps.heard_sent, stamps.heard_received, stamps.sent, received});
    ++exchanges_;
  }

  /// From now on by the hosts' system clocks, and no longer by the exchanges.
  void go_by_system_clocks(bool system) noexcept { by_system_ = system; }

  /// The other's reading came with a heartbeat, ours was made at the same time or before.
  void compare_systems(const SystemClockReading& here,
                       const SystemClockReading& there) noexcept {
    compared_ = here.own;
    systems_ = compare(here, there);
  }

  bool known() const noexcept {
    return same_clock_ || (by_system_ ? systems_.has_value() : clock_.ready());
  }
  Duration offset(TimePoint own) const noexcept {
    if (same_clock_) return Duration::zero();
    if (!by_system_) return clock_.offset(own);
    return systems_ ? systems_->offset : Duration::zero();
  }
  /// Duration::max() where nothing is known.
  Duration bound(TimePoint own) const noexcept {
    if (same_clock_) return Duration::zero();
    if (!by_system_) return clock_.bound(own);
    if (!systems_) return Duration::max();
    // Two clocks of which each may be off by 200 ppm of true time.
    constexpr std::int64_t kParts = 2500;
    return systems_->bound + (own - compared_) / kParts;
  }
  TimePoint to_own(TimePoint other) const noexcept {
    if (same_clock_) return other;
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
  bool same_clock_;
  SessionClock clock_;
  TimePoint heard_sent_{};
  TimePoint heard_received_{};
  int exchanges_ = 0;
  bool by_system_ = false;
  std::optional<SystemClockComparison> systems_;
  TimePoint compared_{};
};

}  // namespace trestle
