#include "adapters/modbus_tcp/register_table.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace trestle::modbus_tcp {
namespace {

using Words = std::vector<std::uint16_t>;

/// A number x means (0.5 x - 10) mm, from -20 to 30 mm.
Register scaled(std::uint16_t address) {
  Register one;
  one.address = address;
  one.type = RegisterType::kI16;
  one.scale = 0.5;
  one.offset = -10.0;
  one.unit = 1e-3;
  one.least = -0.02;
  one.most = 0.03;
  return one;
}

Register plain(std::uint16_t address, bool is_input) {
  Register one;
  one.address = address;
  one.is_input = is_input;
  return one;
}

TEST(RegisterTable, ReadsANumberWithItsScaleOffsetAndUnit) {
  const RegisterTable table({scaled(7)}, 125);
  EXPECT_DOUBLE_EQ(table.value(0, Words{40}), 0.010);
  EXPECT_DOUBLE_EQ(table.value(0, Words{0}), -0.010);
  EXPECT_DOUBLE_EQ(table.value(0, Words{0xFFEC}), -0.020);  // -20
}

TEST(RegisterTable, WritesTheNumberThatWouldBeReadAsTheValue) {
  const RegisterTable table({scaled(7)}, 125);
  Words words{0xAAAA};
  EXPECT_TRUE(table.set_value(0, 0.010, words));
  EXPECT_EQ(words, Words{40});
  EXPECT_TRUE(table.set_value(0, -0.010, words));
  EXPECT_EQ(words, Words{0});
}

TEST(RegisterTable, WritesNothingBeyondEitherEndOfTheRange) {
  const RegisterTable table({scaled(7)}, 125);
  Words words{0xAAAA};
  for (const double outside :
       {-0.0201, 0.0301, std::numeric_limits<double>::quiet_NaN(),
        std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()})
    EXPECT_FALSE(table.set_value(0, outside, words)) << outside;
  EXPECT_EQ(words, Words{0xAAAA});
  EXPECT_TRUE(table.set_value(0, -0.02, words));
  EXPECT_TRUE(table.set_value(0, 0.03, words));
}

TEST(RegisterTable, SplitsARowThatIsLongerThanARequest) {
  const RegisterTable table({plain(0, false), plain(1, false), plain(2, false)}, 2);
  ASSERT_EQ(table.blocks().size(), 2U);
  EXPECT_EQ(table.blocks()[0].words, 2U);
  EXPECT_EQ(table.blocks()[1].address, 2);
  EXPECT_EQ(table.blocks()[1].at, 2U);
  EXPECT_EQ(table.words(), 3U);
}

TEST(RegisterTable, AsksForInputAndHoldingRegistersSeparately) {
  const RegisterTable table({plain(5, true), plain(4, false)}, 125);
  ASSERT_EQ(table.blocks().size(), 2U);
  EXPECT_FALSE(table.blocks()[0].is_input);
  EXPECT_EQ(table.blocks()[0].address, 4);
  EXPECT_TRUE(table.blocks()[1].is_input);
  EXPECT_EQ(table.blocks()[1].address, 5);
  // The words are in the order of the requests; each register keeps its index.
  EXPECT_EQ(table.value(0, Words{11, 22}), 22.0);
  EXPECT_EQ(table.value(1, Words{11, 22}), 11.0);
}

TEST(RegisterTable, AsksForNoRegisterBetweenTwo) {
  const RegisterTable table({plain(4, false), plain(6, false)}, 125);
  ASSERT_EQ(table.blocks().size(), 2U);
  EXPECT_EQ(table.blocks()[0].words, 1U);
}

}  // namespace
}  // namespace trestle::modbus_tcp
