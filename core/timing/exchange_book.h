#pragma once

#include "core/timing/session_clock.h"
#include "core/types/exchange.h"

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

  bool known() const noexcept { return same_clock_ || clock_.ready(); }
  Duration offset(TimePoint own) const noexcept {
    return same_clock_ ? Duration::zero() : clock_.offset(own);
  }
  /// Duration::max() where nothing is known.
  Duration bound(TimePoint own) const noexcept {
    return same_clock_ ? Duration::zero() : clock_.bound(own);
  }
  TimePoint to_own(TimePoint other) const noexcept {
    return same_clock_ ? other : clock_.to_own(other);
  }
  int exchanges() const noexcept { return exchanges_; }

  /// The other end was restarted.
  void restart() noexcept {
    clock_.restart();
    heard_sent_ = heard_received_ = TimePoint{};
    exchanges_ = 0;
  }

 private:
  bool same_clock_;
  SessionClock clock_;
  TimePoint heard_sent_{};
  TimePoint heard_received_{};
  int exchanges_ = 0;
};

}  // namespace trestle
