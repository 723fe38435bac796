#include "adapters/modbus_tcp/register_value.h"

#include <bit>
#include <cmath>
#include <limits>

namespace trestle::modbus_tcp {
namespace {

/// Place of the word `i`, counted from the most significant, and its bytes.
class WordPlaces {
 public:
  WordPlaces(WordOrder order, std::size_t words) noexcept
      : reversed_(order == WordOrder::kLittle || order == WordOrder::kLittleSwapped),
        swapped_(order == WordOrder::kBigSwapped || order == WordOrder::kLittleSwapped),
        words_(words) {}

  std::size_t place(std::size_t i) const noexcept { return reversed_ ? words_ - 1 - i : i; }
  std::uint16_t bytes(std::uint16_t word) const noexcept {
    return swapped_ ? static_cast<std::uint16_t>(word << 8U | word >> 8U) : word;
  }

 private:
  bool reversed_;
  bool swapped_;
  std::size_t words_;
};

template <typename Whole>
bool whole_bits(double number, std::uint64_t& bits) noexcept {
  const double rounded = std::round(number);
  if (!(rounded >= static_cast<double>(std::numeric_limits<Whole>::min()) &&
        rounded <= static_cast<double>(std::numeric_limits<Whole>::max())))
    return false;
  bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(rounded));
  return true;
}

bool bits_of(double number, RegisterType type, std::uint64_t& bits) noexcept {
  switch (type) {
    case RegisterType::kI16:
      return whole_bits<std::int16_t>(number, bits);
    case RegisterType::kU16:
      return whole_bits<std::uint16_t>(number, bits);
    case RegisterType::kI32:
      return whole_bits<std::int32_t>(number, bits);
    case RegisterType::kU32:
      return whole_bits<std::uint32_t>(number, bits);
    case RegisterType::kF32:
      if (!(std::abs(number) <= std::numeric_limits<float>::max())) return false;
      bits = std::bit_cast<std::uint32_t>(static_cast<float>(number));
      return true;
    default:
      bits = std::bit_cast<std::uint64_t>(number);
      return std::isfinite(number);
  }
}

}  // namespace

std::size_t registers_of(RegisterType type) noexcept {
  switch (type) {
    case RegisterType::kI16:
    case RegisterType::kU16:
      return 1;
    case RegisterType::kF64:
      return 4;
    default:
      return 2;
  }
}

double decode_registers(std::span<const std::uint16_t> registers, RegisterType type,
                        WordOrder order) noexcept {
  const std::size_t words = registers_of(type);
  const WordPlaces places(order, words);
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < words; ++i)
    bits = bits << 16U | places.bytes(registers[places.place(i)]);
  switch (type) {
    case RegisterType::kI16:
      return static_cast<std::int16_t>(bits);
    case RegisterType::kU16:
    case RegisterType::kU32:
      return static_cast<double>(bits);
    case RegisterType::kI32:
      return static_cast<std::int32_t>(bits);
    case RegisterType::kF32:
      return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    default:
      return std::bit_cast<double>(bits);
  }
}

bool encode_registers(double number, RegisterType type, WordOrder order,
                      std::span<std::uint16_t> registers) noexcept {
  std::uint64_t bits = 0;
  if (!bits_of(number, type, bits)) return false;
  const std::size_t words = registers_of(type);
  const WordPlaces places(order, words);
  for (std::size_t i = words; i-- > 0; bits >>= 16U)
    registers[places.place(i)] = places.bytes(static_cast<std::uint16_t>(bits));
  return true;
}

}  // namespace trestle::modbus_tcp
