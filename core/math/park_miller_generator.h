#pragma once

#include <cstdint>

#include "core/base/snapshot.h"

namespace trestle::math {

/// A sequence of Gaussian values, mean 0 and standard deviation 1, as published
/// block-diagram simulators make them: equal seeds give equal sequences.
///
/// Uniform numbers by the minimal standard generator s ← 16807·s mod (2³¹ − 1) (Park and
/// Miller 1988), Gaussian ones by the polar method (Marsaglia and Bray 1964), whose second
/// value is thrown away. The seed is spread over the 31 bits first.
class ParkMillerGenerator {
 public:
  explicit ParkMillerGenerator(std::uint32_t seed) noexcept;

  double next() noexcept;

  void save(SnapshotWriter& snapshot) const { snapshot.add(state_); }
  void restore(SnapshotReader& snapshot) {
    state_ = static_cast<std::uint32_t>(snapshot.next());
  }

 private:
  double uniform() noexcept;

  std::uint32_t state_;  // 1 ... 2³¹ − 2
};

}  // namespace trestle::math
