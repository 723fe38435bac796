#include "core/base/column_reader.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "core/base/header_units.h"

namespace trestle {
namespace {

using Words = std::vector<std::string_view>;

TEST(ColumnReader, KeepsTheColumnOfANumberBehindAnEmptyCell) {
  EXPECT_EQ(words_of("0.01,0.5"), (Words{"0.01", "0.5"}));
  EXPECT_EQ(words_of(" 0.01 ;\t0.5 , ,\r"), (Words{"0.01", "0.5"})) << "unused cells";
  EXPECT_EQ(words_of("0.01,,5"), (Words{"0.01", "", "5"}));
  EXPECT_EQ(words_of("0.01, ;5"), (Words{"0.01", "", "5"}));
  EXPECT_EQ(words_of(",5"), (Words{"", "5"}));
  EXPECT_EQ(words_of("1;,5"), (Words{"1", "", "5"})) << "a decimal comma";
  EXPECT_TRUE(words_of(",,;").empty());
}

TEST(ColumnReader, TakesNoRowOfAWordAndANumberForAHeader) {
  for (const char* const header :
       {"x r", "Channel 1, Channel 2", "x [m];r [mm]", "# 3 4", "Road", "time (s), run 3"})
    EXPECT_TRUE(is_header(header, 2)) << header;
  for (const char* const row : {"0 1", "Scale 9.81", "NA,0.5", "O.00,1", "Unit;0.001"})
    EXPECT_FALSE(is_header(row, 2)) << row;
}

TEST(HeaderUnits, AreThoseInBracketsOrBehindTheNames) {
  using Units = std::vector<std::string>;
  EXPECT_EQ(units_in_header("x [m]; r [MM]"), (Units{"m", "mm"}));
  EXPECT_EQ(units_in_header("x_m,r_mm"), (Units{"m", "mm"}));
  EXPECT_EQ(units_in_header("x,r"), (Units{"", ""}));
  EXPECT_EQ(units_in_header("x,r [cm]"), (Units{"", "cm"}));
  EXPECT_EQ(units_in_header("t [ms],a"), (Units{"ms", ""}));
  EXPECT_EQ(units_in_header("t [s]; a (East) [g]"), (Units{"s", "g"}));
  EXPECT_EQ(units_in_header("time, local [s];force [kN]"), (Units{"s", "kn"}));
  EXPECT_EQ(units_in_header("time, local [s]\tforce [kN]"), (Units{"s", "kn"}));
  EXPECT_EQ(units_in_header("# Time (s)  Acceleration (cm/s^2)"), (Units{"s", "cm/s^2"}));
  EXPECT_EQ(units_in_header("Time(s) Acc(g)"), (Units{"s", "g"}));
  EXPECT_EQ(units_in_header("Time s\tAcceleration g"), (Units{"s", "g"}));
  EXPECT_EQ(units_in_header("time (in s), a (g units)"), (Units{"s", "g"}));
  EXPECT_EQ(units_in_header("time,accel_N"), (Units{"", ""}));
  EXPECT_EQ(units_in_header("Time, Acc V"), (Units{"", ""}));
  EXPECT_EQ(unit_of_length("mm"), 1e-3);
  EXPECT_FALSE(unit_of_length("g"));
}

}  // namespace
TEST(FileHeader, TakesCommentsNamesAndARowOfUnits) {
  using Units = std::vector<std::string>;
  const auto units_of = [](const std::vector<std::string>& lines) {
    FileHeader header(2);
    for (const std::string& line : lines) EXPECT_TRUE(header.takes(line, 1)) << line;
    EXPECT_FALSE(header.takes("0.0, 0.1", 1));
    EXPECT_FALSE(header.takes("time [s], a [g]", 1)) << "behind a number";
    return header.units();
  };
  EXPECT_EQ(units_of({"# time [s], a [cm/s2]", "# El Centro (NS)"}), (Units{"s", "cm/s2"}));
  EXPECT_EQ(units_of({"% written by hand", "", "Time,Acceleration", "(s),(g)"}),
            (Units{"s", "g"}));
  EXPECT_EQ(units_of({"# Units: g", "t a"}), (Units{"", "g"}));
  EXPECT_EQ(units_of({"t a"}), (Units{}));
  EXPECT_EQ(units_of({"# El Centro (1940), NS component (Imperial Valley)",
                      "# time [s], accel [g]"}),
            (Units{"s", "g"}));
  EXPECT_EQ(units_of({"# dt = 0.01 s (evenly), NPTS 1500", "time,accel"}), (Units{}));
  FileHeader header(2);
  EXPECT_TRUE(header.takes("t a", 1));
  EXPECT_FALSE(header.takes("O.00 0.1", 1)) << "a mistyped number below the names";
}

}  // namespace trestle
