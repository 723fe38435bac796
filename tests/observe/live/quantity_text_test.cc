#include "observe/live/quantity_text.h"

#include <gtest/gtest.h>

#include <cmath>

namespace trestle::live::quantity_text_test {
namespace {

std::string shown(Quantity quantity, DofKind kind, double largest, double value) {
  return quantity_in(display_unit(quantity, kind, largest), value);
}

TEST(QuantityText, FollowsTheLimit) {
  const DofKind along = DofKind::kTranslation;
  const DofKind about = DofKind::kRotation;
  EXPECT_EQ(shown(Quantity::kDisplacement, along, 0.06, 0.01142), "11.42 mm");
  EXPECT_EQ(shown(Quantity::kDisplacement, about, 0.02, -0.0031), "-3.10 mrad");
  EXPECT_EQ(shown(Quantity::kForce, along, 250e3, 178e3), "178.0 kN");
  EXPECT_EQ(shown(Quantity::kForce, about, 400e3, -41.2e3), "-41.2 kNm");
  EXPECT_EQ(shown(Quantity::kForce, along, 50.0, 12.3), "12.30 N");
  EXPECT_EQ(shown(Quantity::kForce, along, 20e6, 12.3e6), "12.30 MN");
  EXPECT_EQ(shown(Quantity::kRate, along, 0.4, 0.1), "100.0 mm/s");
  EXPECT_EQ(shown(Quantity::kDisplacement, along, 100e-6, 12e-6), "12.0 um");
  EXPECT_EQ(shown(Quantity::kRatio, along, 1.0, 0.25), "25.0 %");
}

TEST(QuantityText, ShowsWhatIsNotKnownAndNoNegativeZero) {
  const DisplayUnit unit = display_unit(Quantity::kForce, DofKind::kTranslation, INFINITY);
  EXPECT_EQ(quantity_in(unit, NAN), "- kN");
  EXPECT_EQ(quantity_in(unit, -1e-9), "0.00 kN");
}

TEST(QuantityText, TimesAreReadable) {
  EXPECT_EQ(time_text(0.06), "0.1 s");
  EXPECT_EQ(time_text(12.4), "12 s");
  EXPECT_EQ(time_text(38 * 60.0), "38 min");
  EXPECT_EQ(time_text(5.25 * 3600.0), "5.2 h");
  EXPECT_EQ(time_text(NAN), "-");
}

}  // namespace
}  // namespace trestle::live::quantity_text_test
