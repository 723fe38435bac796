#include "adapters/udp_target/frame_layout.h"

#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace trestle::udp_target {
namespace {

template <typename Integer>
double extended(std::uint64_t bits) noexcept {
  return static_cast<double>(static_cast<Integer>(bits));
}

template <typename Integer>
bool rounded(double number, std::uint64_t& bits) noexcept {
  const double whole = std::nearbyint(number);
  // The largest whole numbers of 64 bits are no doubles: their neighbour above is.
  constexpr Integer kHalf = std::numeric_limits<Integer>::max() / 2 + 1;
  constexpr double kBeyond = 2.0 * static_cast<double>(kHalf);
  if (!(whole >= static_cast<double>(std::numeric_limits<Integer>::min()) &&
        whole < kBeyond))
    return false;
  bits = static_cast<std::make_unsigned_t<Integer>>(static_cast<Integer>(whole));
  return true;
}

double number_of(std::uint64_t bits, NumberType type) noexcept {
  switch (type) {
    case NumberType::kU8:
      return extended<std::uint8_t>(bits);
    case NumberType::kI8:
      return extended<std::int8_t>(bits);
    case NumberType::kU16:
      return extended<std::uint16_t>(bits);
    case NumberType::kI16:
      return extended<std::int16_t>(bits);
    case NumberType::kU32:
      return extended<std::uint32_t>(bits);
    case NumberType::kI32:
      return extended<std::int32_t>(bits);
    case NumberType::kU64:
      return extended<std::uint64_t>(bits);
    case NumberType::kI64:
      return extended<std::int64_t>(bits);
    case NumberType::kF32:
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    case NumberType::kF64:
      return std::bit_cast<double>(bits);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

bool bits_of(double number, NumberType type, std::uint64_t& bits) noexcept {
  switch (type) {
    case NumberType::kU8:
      return rounded<std::uint8_t>(number, bits);
    case NumberType::kI8:
      return rounded<std::int8_t>(number, bits);
    case NumberType::kU16:
      return rounded<std::uint16_t>(number, bits);
    case NumberType::kI16:
      return rounded<std::int16_t>(number, bits);
    case NumberType::kU32:
      return rounded<std::uint32_t>(number, bits);
    case NumberType::kI32:
      return rounded<std::int32_t>(number, bits);
    case NumberType::kU64:
      return rounded<std::uint64_t>(number, bits);
    case NumberType::kI64:
      return rounded<std::int64_t>(number, bits);
    case NumberType::kF32:
      if (!(std::abs(number) <= static_cast<double>(std::numeric_limits<float>::max())))
        return false;
      bits = std::bit_cast<std::uint32_t>(static_cast<float>(number));
      return true;
    case NumberType::kF64:
      bits = std::bit_cast<std::uint64_t>(number);
      return std::isfinite(number);
  }
  return false;
}

constexpr std::array<std::uint32_t, 256> make_crc_table() noexcept {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    std::uint32_t rest = i;
    for (int bit = 0; bit < 8; ++bit)
      rest = (rest & 1U) != 0 ? (rest >> 1U) ^ 0xEDB88320U : rest >> 1U;
    table[i] = rest;
  }
  return table;
}

}  // namespace

std::size_t size_of(NumberType type) noexcept {
  switch (type) {
    case NumberType::kU8:
    case NumberType::kI8:
      return 1;
    case NumberType::kU16:
    case NumberType::kI16:
      return 2;
    case NumberType::kU32:
    case NumberType::kI32:
    case NumberType::kF32:
      return 4;
    default:
      return 8;
  }
}

const Field* FrameLayout::find(FieldRole meaning, std::uint32_t index) const noexcept {
  for (const Field& field : fields)
    if (field.meaning == meaning && field.index == index) return &field;
  return nullptr;
}

std::uint32_t FrameLayout::count(FieldRole meaning) const noexcept {
  std::uint32_t count = 0;
  for (const Field& field : fields)
    if (field.meaning == meaning) ++count;
  return count;
}

std::uint64_t read_bits(std::span<const std::uint8_t> frame, const Field& field,
                        bool big_endian) noexcept {
  const std::size_t size = size_of(field.type);
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < size; ++i)
    bits = (bits << 8U) | frame[field.at + (big_endian ? i : size - 1 - i)];
  return bits;
}

void write_bits(std::span<std::uint8_t> frame, const Field& field, bool big_endian,
                std::uint64_t bits) noexcept {
  const std::size_t size = size_of(field.type);
  for (std::size_t i = 0; i < size; ++i, bits >>= 8U)
    frame[field.at + (big_endian ? size - 1 - i : i)] =
        static_cast<std::uint8_t>(bits & 0xFFU);
}

double read_number(std::span<const std::uint8_t> frame, const Field& field,
                   bool big_endian) noexcept {
  const double number = number_of(read_bits(frame, field, big_endian), field.type);
  return (number * field.scale + field.offset) * field.unit;
}

bool write_number(std::span<std::uint8_t> frame, const Field& field, bool big_endian,
                  double number) noexcept {
  std::uint64_t bits = 0;
  if (!bits_of((number / field.unit - field.offset) / field.scale, field.type, bits))
    return false;
  write_bits(frame, field, big_endian, bits);
  return true;
}

std::uint32_t crc32(std::span<const std::uint8_t> bytes) noexcept {
  static constexpr std::array<std::uint32_t, 256> kTable = make_crc_table();
  std::uint32_t rest = 0xFFFFFFFFU;
  for (const std::uint8_t byte : bytes) rest = kTable[(rest ^ byte) & 0xFFU] ^ (rest >> 8U);
  return rest ^ 0xFFFFFFFFU;
}

}  // namespace trestle::udp_target
