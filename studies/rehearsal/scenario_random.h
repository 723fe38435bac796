#pragma once

#include <cmath>
#include <cstdint>

#include "core/base/random.h"
#include "core/base/time.h"

namespace trestle::rehearsal {

/// Random numbers of one scenario, one after the other.
class ScenarioRandom {
 public:
  /// @param channel  dice of different channels are independent
  ScenarioRandom(std::uint64_t seed, std::int64_t scenario, std::uint64_t channel)
      : place_{seed, stream_id("rehearsal"), channel,
               static_cast<std::uint64_t>(scenario) << 32U} {}

  /// In [0, 1).
  double uniform() noexcept {
    const double value = trestle::uniform(place_);
    ++place_.index;
    return value;
  }
  bool bernoulli(double share) noexcept { return uniform() < share; }
  double between(double low, double high) noexcept {
    return low + (high - low) * uniform();
  }
  /// Every order of magnitude alike. @pre 0 < low <= high
  double spread(double low, double high) noexcept {
    return low * std::pow(high / low, uniform());
  }
  Duration spread_time(double low, double high) noexcept {
    return Duration{std::llround(spread(low, high) * 1e9)};
  }
  /// In [0, count). @pre count > 0
  std::int64_t below(std::int64_t count) noexcept {
    return static_cast<std::int64_t>(uniform() * static_cast<double>(count));
  }

 private:
  RandomKey place_;
};

}  // namespace trestle::rehearsal
