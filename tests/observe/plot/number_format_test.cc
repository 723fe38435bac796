#include "observe/plot/number_format.h"

#include <gtest/gtest.h>

#include <cmath>

#include "observe/plot/engineering_unit.h"

namespace trestle::plot::number_format_test {
namespace {

TEST(NumberFormat, WritesFixedDecimalsWithoutANegativeZero) {
  EXPECT_EQ(format_fixed(17.994, 2), "17.99");
  EXPECT_EQ(format_fixed(-0.001, 2), "0.00");
  EXPECT_EQ(format_fixed(std::nan(""), 2), "\u2013");
  EXPECT_EQ(format_fixed(1e300, 0).size(), 301U);
}

TEST(NumberFormat, WritesSignificantDigitsWithoutTrailingZeros) {
  EXPECT_EQ(format_significant(0.0, 3), "0");
  EXPECT_EQ(format_significant(12.7001, 3), "12.7");
  EXPECT_EQ(format_significant(1.0, 4), "1");
  EXPECT_EQ(format_significant(1.20e-9, 3), "1.2e-09");
  EXPECT_EQ(format_significant(-INFINITY, 3), "\u2013");
}

TEST(NumberFormat, GroupsDigitsOfWholeNumbers) {
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(42169), "42\u202f169");
  EXPECT_EQ(format_count(-1234567), "-1\u202f234\u202f567");
}

TEST(NumberFormat, WritesCoordinatesWithAtMostTwoDecimals) {
  const auto coordinate = [](double value) {
    std::string text;
    append_coordinate(text, value);
    return text;
  };
  EXPECT_EQ(coordinate(3.0), "3");
  EXPECT_EQ(coordinate(3.10), "3.1");
  EXPECT_EQ(coordinate(-0.056), "-0.06");
  EXPECT_EQ(coordinate(-0.001), "0");
  EXPECT_EQ(coordinate(1e300), "10000000");
}

TEST(EngineeringUnit, FitsTheLargestValue) {
  EXPECT_EQ(format_quantity(0.0127, "m"), "12.7 mm");
  EXPECT_EQ(format_quantity(-3.1e-6, "m"), "-3.1 µm");
  EXPECT_EQ(format_quantity(178e3, "N"), "178 kN");
  EXPECT_EQ(format_quantity(12.0, "N.m"), "12 N·m");
  EXPECT_EQ(format_quantity(0.00041, "rad"), "0.41 mrad");
  EXPECT_EQ(format_quantity(38.1e-6, "s"), "38.1 µs");
  EXPECT_EQ(format_quantity(0.0, "m"), "0 mm");
  EXPECT_EQ(format_quantity(5.0, "furlong"), "5 furlong");
}

}  // namespace
}  // namespace trestle::plot::number_format_test
