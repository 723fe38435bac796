#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace trestle {

/// SHA-256 (FIPS 180-4) of bytes that arrive in pieces. Uses the heap only for the text of
/// the result.
class Sha256 {
 public:
  using Digest = std::array<std::uint8_t, 32>;

  Sha256() noexcept;

  Sha256& add(std::span<const std::byte> bytes) noexcept;
  Sha256& add(std::string_view text) noexcept;
  /// A field of many: its length as 8 bytes, little-endian, then itself, so that no two
  /// lists of fields give the same bytes.
  Sha256& add_field(std::string_view text) noexcept;
  /// 8 bytes, little-endian.
  Sha256& add_number(std::uint64_t number) noexcept;

  /// Returns the digest of all data added so far; more may be added after it.
  Digest digest() const noexcept;
  /// The same as 64 hexadecimal digits.
  std::string to_hex() const;

 private:
  // libsodium's own state, which is plain memory; its header stays in the source.
  alignas(8) std::array<std::byte, 104> state_;
};

/// 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace trestle
