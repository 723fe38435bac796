#include "adapters/modbus_tcp/register_value.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace trestle::modbus_tcp {
namespace {

using Words = std::vector<std::uint16_t>;

/// A number and the registers that the vendors' manuals give for it.
struct Example {
  double number;
  RegisterType type;
  WordOrder order;
  Words registers;
};

TEST(RegisterValue, SpreadsEachTypeInEachOrder) {
  // 1.5f is 3FC0 0000; 0x12345678; -2 is FFFE; 1.5 is 3FF8 0000 0000 0000.
  const std::vector<Example> examples{
      {-2, RegisterType::kI16, WordOrder::kBig, {0xFFFE}},
      {-2, RegisterType::kI16, WordOrder::kLittle, {0xFFFE}},
      {-2, RegisterType::kI16, WordOrder::kBigSwapped, {0xFEFF}},
      {40000, RegisterType::kU16, WordOrder::kBig, {0x9C40}},
      {40000, RegisterType::kU16, WordOrder::kLittleSwapped, {0x409C}},
      {0x12345678, RegisterType::kU32, WordOrder::kBig, {0x1234, 0x5678}},
      {0x12345678, RegisterType::kU32, WordOrder::kLittle, {0x5678, 0x1234}},
      {0x12345678, RegisterType::kU32, WordOrder::kBigSwapped, {0x3412, 0x7856}},
      {0x12345678, RegisterType::kU32, WordOrder::kLittleSwapped, {0x7856, 0x3412}},
      {4294967295.0, RegisterType::kU32, WordOrder::kBig, {0xFFFF, 0xFFFF}},
      {-2, RegisterType::kI32, WordOrder::kLittle, {0xFFFE, 0xFFFF}},
      {1.5, RegisterType::kF32, WordOrder::kBig, {0x3FC0, 0x0000}},
      {1.5, RegisterType::kF32, WordOrder::kLittle, {0x0000, 0x3FC0}},
      {1.5, RegisterType::kF32, WordOrder::kBigSwapped, {0xC03F, 0x0000}},
      {1.5, RegisterType::kF32, WordOrder::kLittleSwapped, {0x0000, 0xC03F}},
      {1.5, RegisterType::kF64, WordOrder::kBig, {0x3FF8, 0, 0, 0}},
      {1.5, RegisterType::kF64, WordOrder::kLittle, {0, 0, 0, 0x3FF8}},
      {1.5, RegisterType::kF64, WordOrder::kBigSwapped, {0xF83F, 0, 0, 0}},
      {1.5, RegisterType::kF64, WordOrder::kLittleSwapped, {0, 0, 0, 0xF83F}},
  };
  for (const Example& one : examples) {
    Words registers(one.registers.size(), 0xAAAA);
    EXPECT_EQ(registers_of(one.type), registers.size());
    EXPECT_TRUE(encode_registers(one.number, one.type, one.order, registers));
    EXPECT_EQ(registers, one.registers) << one.number;
    EXPECT_EQ(decode_registers(one.registers, one.type, one.order), one.number);
  }
}

TEST(RegisterValue, WritesNothingThatDoesNotFit) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::vector<std::pair<RegisterType, std::vector<double>>> examples{
      {RegisterType::kI16, {32767.5, -32768.6, kInfinity, std::nan("")}},
      {RegisterType::kU16, {-0.6, 65535.5}},
      {RegisterType::kI32, {2147483648.0, -2147483649.0}},
      {RegisterType::kU32, {-1.0, 4294967296.0}},
      {RegisterType::kF32, {1e39, std::nan("")}},
      {RegisterType::kF64, {kInfinity}}};
  for (const auto& [type, numbers] : examples)
    for (const double number : numbers) {
      Words registers(4, 0xAAAA);
      EXPECT_FALSE(encode_registers(number, type, WordOrder::kBig, registers)) << number;
      EXPECT_EQ(registers, Words(4, 0xAAAA));
    }
}

TEST(RegisterValue, RoundsToTheNearestWholeNumber) {
  Words registers(1);
  EXPECT_TRUE(encode_registers(-0.6, RegisterType::kI16, WordOrder::kBig, registers));
  EXPECT_EQ(registers[0], 0xFFFF);
  EXPECT_TRUE(encode_registers(32767.4, RegisterType::kI16, WordOrder::kBig, registers));
  EXPECT_EQ(registers[0], 32767);
}

}  // namespace
}  // namespace trestle::modbus_tcp
