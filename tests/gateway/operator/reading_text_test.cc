#include "gateway/operator/reading_text.h"

#include <gtest/gtest.h>

#include <limits>

#include "gateway/operator/single_line_text.h"

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

TEST(ContactMark, IsOfTheLevelThatAPersonShouldLookAt) {
  EXPECT_EQ(contact_mark(0.0, "0/1", false), "NOT CLOSED");
  EXPECT_EQ(contact_mark(kNone, "0/1", false), "NOT CLOSED");
  EXPECT_EQ(contact_mark(1.0, "0/1", false), "");
  EXPECT_EQ(contact_mark(1.0, "0/1", true), "NOT OPEN");
  EXPECT_EQ(contact_mark(kNone, "0/1", true), "NOT OPEN");
  EXPECT_EQ(contact_mark(0.0, "0/1", true), "");
  EXPECT_EQ(contact_mark(0.0, "bar", false), "");
}

/// A channel has the name that its site gives it.
TEST(SingleLineText, ANameDoesNotTurnRoundTheReadingBehindIt) {
  EXPECT_EQ(single_line_text("1.force\u202e reads 12 kN\u2069\n: NOT OK"),
            "1.force\ufffd reads 12 kN\ufffd : NOT OK");
}

}  // namespace
}  // namespace trestle::operators::reading_text_test
