#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace trestle {

/// The place of a random value. The value is a function of this place alone: it does not
/// depend on the caller, or on the order or number of calls.
struct RandomKey {
  std::uint64_t seed = 0;     ///< of the test
  std::uint64_t stream = 0;   ///< stream_id(name of the site, or of the part)
  std::uint64_t channel = 0;  ///< within the stream
  std::uint64_t index = 0;    ///< number of the step or tick
};

/// A number for a name (FNV-1a, 64 bit).
std::uint64_t stream_id(std::string_view name) noexcept;

/// Philox 4×64 with ten rounds (Salmon, Moraes, Dror and Shaw 2011): key (seed, stream),
/// counter (index, channel, 0, 0).
std::array<std::uint64_t, 4> random_bits(const RandomKey& place) noexcept;

/// Uniform in [0, 1), 53 bits.
double uniform(const RandomKey& place) noexcept;

/// Mean 0, standard deviation 1 (Box and Muller 1958).
double standard_normal(const RandomKey& place) noexcept;

}  // namespace trestle
