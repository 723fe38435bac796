#include "core/base/number_text.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>

namespace trestle::number_text_test {
namespace {

TEST(NumberText, IsTheShortestThatReadsBack) {
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(1.0), "1");
  EXPECT_EQ(number_text(-0.0), "-0");
  EXPECT_EQ(number_text(1e-300), "1e-300");
  EXPECT_EQ(number_text(0.1 + 0.2), "0.30000000000000004");
}

TEST(NumberText, ReadsBackBitForBit) {
  for (const double value : {1.0 / 3.0, -0.0, 5e-324, std::numeric_limits<double>::max(),
                             std::numeric_limits<double>::infinity()})
    EXPECT_EQ(std::bit_cast<std::uint64_t>(*number_from_text(number_text(value))),
              std::bit_cast<std::uint64_t>(value));
}

TEST(NumberText, KnowsOneNan) {
  EXPECT_EQ(number_text(std::numeric_limits<double>::quiet_NaN()), "nan");
  EXPECT_EQ(number_text(-std::numeric_limits<double>::quiet_NaN()), "nan");
}

TEST(NumberText, RefusesWhatIsNotOneNumber) {
  EXPECT_FALSE(number_from_text(""));
  EXPECT_FALSE(number_from_text("1 s"));
  EXPECT_FALSE(number_from_text("fast"));
}

}  // namespace
}  // namespace trestle::number_text_test
