#pragma once

#include "core/base/time.h"

namespace trestle {

/// What rides on messages both ways so that either end can compare the clocks: each stamp
/// on the clock of who made it, zero where there is none yet.
struct ExchangeStamps {
  TimePoint sent{};            ///< this message, right before it was encoded
  TimePoint heard_sent{};      ///< `sent` of the message heard last from the other end
  TimePoint heard_received{};  ///< when that one was received here
  bool operator==(const ExchangeStamps&) const = default;
};

/// One two-way exchange as one end knows it when the answer is in: out on its own clock,
/// in and out on the other's, back on its own.
struct Exchange {
  TimePoint sent{};            ///< own clock
  TimePoint received_there{};  ///< the other's clock
  TimePoint sent_there{};      ///< the other's clock
  TimePoint received{};        ///< own clock
};

}  // namespace trestle
