#include "core/base/sha256.h"

#include <sodium/crypto_hash_sha256.h>

#include <cstring>
#include <tuple>

namespace trestle {
namespace {

using State = crypto_hash_sha256_state;
static_assert(crypto_hash_sha256_BYTES == std::tuple_size_v<Sha256::Digest>);

}  // namespace

Sha256::Sha256() noexcept {
  static_assert(sizeof(State) == sizeof(state_) && alignof(State) <= 8);
  State state;
  crypto_hash_sha256_init(&state);
  std::memcpy(state_.data(), &state, sizeof state);
}

Sha256& Sha256::add(std::span<const std::byte> bytes) noexcept {
  if (bytes.empty()) return *this;
  State state;
  std::memcpy(&state, state_.data(), sizeof state);
  crypto_hash_sha256_update(&state, reinterpret_cast<const unsigned char*>(bytes.data()),
                            bytes.size());
  std::memcpy(state_.data(), &state, sizeof state);
  return *this;
}

Sha256& Sha256::add(std::string_view text) noexcept {
  return add(std::as_bytes(std::span(text)));
}

Sha256& Sha256::add_field(std::string_view text) noexcept {
  return add_number(text.size()).add(text);
}

Sha256& Sha256::add_number(std::uint64_t number) noexcept {
  std::array<std::byte, 8> bytes;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::byte>((number >> (8 * i)) & 0xFFU);
  return add(bytes);
}

Sha256::Digest Sha256::digest() const noexcept {
  State state;
  std::memcpy(&state, state_.data(), sizeof state);
  Digest digest;
  crypto_hash_sha256_final(&state, digest.data());
  return digest;
}

std::string Sha256::to_hex() const {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : digest()) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string sha256(std::string_view bytes) {
  return Sha256().add(bytes).to_hex();
}

}  // namespace trestle
