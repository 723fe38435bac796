#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace trestle::modbus_tcp {

enum class RegisterType : std::uint8_t { kI16, kU16, kI32, kU32, kF32, kF64 };

/// How a number is spread over registers of 16 bits. The bytes A B C D of a number of 32
/// bits, A the most significant, are in two registers as follows.
enum class WordOrder : std::uint8_t {
  kBig,            ///< AB CD
  kLittle,         ///< CD AB
  kBigSwapped,     ///< BA DC
  kLittleSwapped,  ///< DC BA
};

/// Number of registers, 1 to 4.
std::size_t registers_of(RegisterType type) noexcept;

// Neither allocates or throws. @pre as many registers as the type has

double decode_registers(std::span<const std::uint16_t> registers, RegisterType type,
                        WordOrder order) noexcept;
/// Rounds to the nearest number of the type.
/// @returns false if the number does not fit into the type: nothing is written
bool encode_registers(double number, RegisterType type, WordOrder order,
                      std::span<std::uint16_t> registers) noexcept;

}  // namespace trestle::modbus_tcp
