// Numbers with their units, as a person writes them in a command.
#include "site-servers/node/spoken_quantity.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace trestle::site_node::spoken_quantity_test {
namespace {

using enum SpokenKind;
constexpr DofKind kMoves = DofKind::kTranslation;
constexpr DofKind kTurns = DofKind::kRotation;

TEST(SpokenQuantity, ReadsANumberWithItsUnitInSi) {
  EXPECT_DOUBLE_EQ(*read_spoken("14.94mm", kMotion, kMoves), 0.01494);
  EXPECT_DOUBLE_EQ(*read_spoken("  -3 mm ", kMotion, kMoves), -0.003);
  EXPECT_DOUBLE_EQ(*read_spoken("1e-3 m", kMotion, kMoves), 0.001);
  EXPECT_DOUBLE_EQ(*read_spoken("180 deg", kMotion, kTurns), 3.14159265358979323846);
  EXPECT_DOUBLE_EQ(*read_spoken("2 mm/s", kRate, kMoves), 0.002);
  EXPECT_DOUBLE_EQ(*read_spoken("2mrad/s", kRate, kTurns), 0.002);
  EXPECT_DOUBLE_EQ(*read_spoken("10 kN", kForce, kMoves), 1e4);
  EXPECT_DOUBLE_EQ(*read_spoken("0.5 kN.m", kForce, kTurns), 500.0);
}

TEST(SpokenQuantity, TakesNoNumberWithoutItsUnitAndNoUnitOfSomethingElse) {
  for (const char* text : {"", "mm", "14.94", "14.94 mm mm", "0x10mm", "nan mm", "inf mm",
                           "2 mrad", "2 mm/s", "2 kN", "2 MM"})
    EXPECT_FALSE(read_spoken(text, kMotion, kMoves)) << text;
  for (const char* text : {"2 mm", "2 mrad/s", "2 mm/s/s", "2 /s"})
    EXPECT_FALSE(read_spoken(text, kRate, kMoves)) << text;
  // A force that is infinite in newtons would bound nothing.
  for (const char* text : {"2 kN.m", "2 kg", "2 kN/s", "1e308 MN"})
    EXPECT_FALSE(read_spoken(text, kForce, kMoves)) << text;
  EXPECT_FALSE(read_spoken("2 mm", kMotion, kTurns));
}

TEST(SpokenQuantity, DividesAListAtItsCommas) {
  EXPECT_EQ(spoken_list("14.94 mm, -3mm"), (std::vector<std::string>{"14.94 mm", "-3mm"}));
  EXPECT_EQ(spoken_list("1mm;2mm"), (std::vector<std::string>{"1mm", "2mm"}));
  EXPECT_EQ(spoken_list(""), (std::vector<std::string>{""}));
  EXPECT_EQ(spoken_list("1mm,"), (std::vector<std::string>{"1mm", ""}));
}

TEST(SpokenQuantity, WritesWhatItReads) {
  EXPECT_EQ(spoken_text(0.01494, kMotion, kMoves), "14.94 mm");
  EXPECT_EQ(spoken_text(-0.002, kRate, kTurns), "-2 mrad/s");
  EXPECT_EQ(spoken_text(1e4, kForce, kMoves), "10 kN");
  EXPECT_EQ(spoken_text(500.0, kForce, kTurns), "0.5 kN.m");
}

}  // namespace
}  // namespace trestle::site_node::spoken_quantity_test
