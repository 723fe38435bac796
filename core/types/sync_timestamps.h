#pragma once

#include "core/base/time.h"

namespace trestle {

/// Timestamps in the messages of both directions, by which either end compares the clocks.
/// Each stamp is by its sender's clock; zero: none yet.
struct SyncTimestamps {
  TimePoint transmit{};  ///< this message, right before it was encoded
  TimePoint origin{};    ///< `sent` of the message heard last from the other end
  TimePoint receive{};   ///< when that one was received here
  bool operator==(const SyncTimestamps&) const = default;
};

/// One two-way exchange as one end knows it when the answer is in: out on its own clock,
/// in and out on the other's, back on its own.
struct TimestampExchange {
  TimePoint t1{};  ///< own clock
  TimePoint t2{};  ///< the other's clock
  TimePoint t3{};  ///< the other's clock
  TimePoint t4{};  ///< own clock
};

}  // namespace trestle
