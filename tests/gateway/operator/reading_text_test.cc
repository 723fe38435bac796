#include "gateway/operator/reading_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace trestle::operators::reading_text_test {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

TEST(ReadingText, IsInUnitsOfTheLaboratory) {
  EXPECT_EQ(reading_text({"1.displacement", "m", 1.213e-5, 2.1e-6}),
            "1.displacement 0.01213 mm sd 0.0021 mm");
  EXPECT_EQ(reading_text({"2.force", "N.m", -12.3, 4.25}),
            "2.force -0.0123 kN.m sd 0.00425 kN.m");
  EXPECT_EQ(reading_text({"2.displacement", "rad", 0.002, 1e-5}),
            "2.displacement 2 mrad sd 0.01 mrad");
}

TEST(ReadingText, OfAFurtherChannelHasItsOwnUnitAndNoDeviation) {
  EXPECT_EQ(reading_text({"oil", "bar", 207.0, kNone}), "oil 207 bar");
  EXPECT_EQ(reading_text({"oil", "bar", kNone, kNone}), "oil not a number");
}

TEST(ReadingText, OfAContactIsAWord) {
  EXPECT_EQ(reading_text({"estop", "0/1", 1.0, kNone}), "estop closed");
  EXPECT_EQ(reading_text({"estop", "0/1", 0.0, kNone}), "estop open");
  EXPECT_EQ(reading_text({"estop", "0/1", 1.0, 0.0}), "estop closed");
  EXPECT_EQ(readings_text({{"oil", "bar", 207.0, kNone}, {"estop", "0/1", 0.0, kNone}}),
            "oil 207 bar, estop open");
}

}  // namespace
}  // namespace trestle::operators::reading_text_test
