#include "studies/design/keyed_permutation.h"

#include "core/base/random.h"

namespace trestle::design {
namespace {

constexpr std::uint64_t kFeistelRounds = 6;

}  // namespace

KeyedPermutation::KeyedPermutation(std::uint64_t size, std::uint64_t seed,
                                   std::uint64_t stream, std::uint64_t channel) noexcept
    : size_(size), seed_(seed), stream_(stream), channel_(channel) {
  while (half_bits_ < 31 && (std::uint64_t{1} << (2 * half_bits_)) < size_) ++half_bits_;
}

std::uint64_t KeyedPermutation::operator()(std::uint64_t place) const noexcept {
  do {
    place = encipher(place);
  } while (place >= size_);
  return place;
}

std::uint64_t KeyedPermutation::encipher(std::uint64_t value) const noexcept {
  const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
  std::uint64_t left = value >> half_bits_;
  std::uint64_t right = value & mask;
  for (std::uint64_t round = 0; round < kFeistelRounds; ++round) {
    // The round stands above the 31 bits of a half.
    const std::uint64_t mixed = random_bits({.seed = seed_,
                                             .stream = stream_,
                                             .channel = channel_,
                                             .index = (round << 32U) | right})[0];
    const std::uint64_t next = left ^ (mixed & mask);
    left = right;
    right = next;
  }
  return (left << half_bits_) | right;
}

}  // namespace trestle::design
