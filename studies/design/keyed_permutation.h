#pragma once

#include <cstdint>

namespace trestle::design {

/// A random order of 0 … size − 1, of which any place is known without the others: a
/// balanced Feistel cipher of Philox, whose values beyond the size are enciphered again
/// until they fit (Black and Rogaway 2002).
class KeyedPermutation {
 public:
  /// @param size     at least 1
  /// @param stream   with the seed and the channel the key: another key, another order
  KeyedPermutation(std::uint64_t size, std::uint64_t seed, std::uint64_t stream,
                   std::uint64_t channel) noexcept;

  /// @param place  below the size
  std::uint64_t operator()(std::uint64_t place) const noexcept;

 private:
  std::uint64_t encipher(std::uint64_t value) const noexcept;

  std::uint64_t size_;
  std::uint64_t seed_;
  std::uint64_t stream_;
  std::uint64_t channel_;
  unsigned half_bits_ = 1;  // 2^(2 half_bits) >= size
};

}  // namespace trestle::design
