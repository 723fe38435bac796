#pragma once

#include <cstdint>
#include <optional>

#include "core/types/sync_timestamps.h"

namespace trestle::testing {

/// A path as it may be met: one way, the least delay and what comes on top.
struct OneWay {
  double least = 0.0;    ///< [s]
  double jitter = 0.0;   ///< mean of what comes on top [s]
  double tail = 0.0;     ///< 0: exponential; else the exponent of a Pareto law
  double load = 0.0;     ///< further mean while the way is loaded [s]
  double period = 10.0;  ///< loaded for the second half of each [s]
};

/// Two clocks and the path between them.
struct ClockCase {
  std::uint64_t seed = 0;
  double offset = 0.0;           ///< of the other's clock when the first starts [s]
  double drift = 0.0;            ///< [s/s]
  double wander = 0.0;           ///< amplitude of a slow sine on the drift [s/s]
  double wander_period = 120.0;  ///< [s]
  double interval = 0.1;         ///< mean, between exchanges [s]
  double hold = 0.0;             ///< mean, until the other answers [s]
  double loss = 0.0;             ///< share of exchanges that never end
  OneWay there;
  OneWay back;
};

/// Two clocks in virtual time, and what each says of the other: truth and stamps.
class ClockPair {
 public:
  explicit ClockPair(const ClockCase& settings) : case_(settings) {}

  /// The next exchange in the order of `received`; nothing: it was lost.
  std::optional<TimestampExchange> next();
  /// The other end comes back with a clock that starts near zero, at this own time.
  void restart_other(double own_seconds);

  /// The other's clock less our own.
  Duration true_offset(TimePoint own) const;
  /// Half of what light and wire take both ways: shift the other's clock by less, and there
  /// are delays, none below the least, that give the very same stamps.
  Duration best_bound() const;
  /// An own instant between the last exchange and the next one.
  double now() const { return now_; }
  double uniform();

 private:
  double delay(const OneWay& way, double at);
  double other_less_own(double own_seconds) const;

  ClockCase case_;
  std::uint64_t drawn_ = 0;
  double now_ = 1.0;
  double born_ = 0.0;
  double start_ = 0.0;
  bool restarted_ = false;
};

}  // namespace trestle::testing
