#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace trestle::journal {

/// How rows stand in memory and in a block of the journal, one after the other:
/// the index as int64, then one IEEE 754 double per channel; all little-endian.
static_assert(std::endian::native == std::endian::little,
              "the journal is little-endian, and so must be the machine");

inline std::size_t row_bytes(std::size_t channels) noexcept {
  return sizeof(std::int64_t) + channels * sizeof(double);
}

/// @pre row holds a whole row
inline std::int64_t row_index(std::span<const std::byte> row) noexcept {
  std::int64_t index = 0;
  std::memcpy(&index, row.data(), sizeof index);
  return index;
}

}  // namespace trestle::journal
