#include "core/base/number_text.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>

namespace trestle::journal::number_text_test {
namespace {

TEST(NumberText, IsTheShortestThatReadsBack) {
  EXPECT_EQ(format_number(0.1), "0.1");
  EXPECT_EQ(format_number(1.0), "1");
  EXPECT_EQ(format_number(-0.0), "-0");
  EXPECT_EQ(format_number(1e-300), "1e-300");
  EXPECT_EQ(format_number(0.1 + 0.2), "0.30000000000000004");
}

TEST(NumberText, ReadsBackBitForBit) {
  for (const double value : {1.0 / 3.0, -0.0, 5e-324, std::numeric_limits<double>::max(),
                             std::numeric_limits<double>::infinity()})
    EXPECT_EQ(std::bit_cast<std::uint64_t>(*parse_number(format_number(value))),
              std::bit_cast<std::uint64_t>(value));
}

TEST(NumberText, KnowsOneNan) {
  EXPECT_EQ(format_number(std::numeric_limits<double>::quiet_NaN()), "nan");
  EXPECT_EQ(format_number(-std::numeric_limits<double>::quiet_NaN()), "nan");
}

TEST(NumberText, RefusesWhatIsNotOneNumber) {
  EXPECT_FALSE(parse_number(""));
  EXPECT_FALSE(parse_number("1 s"));
  EXPECT_FALSE(parse_number("fast"));
}

}  // namespace
}  // namespace trestle::journal::number_text_test
