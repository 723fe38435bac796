#include "numerical/materials/twin_law.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "numerical/materials/bilinear_law.h"
#include "numerical/materials/bouc_wen_law.h"

namespace trestle::materials {
namespace {

BoucWenLawSettings settings() {
  return {.stiffness = 2e6, .yield_force = 30e3, .hardening = 0.1, .n = 2.0};
}

double way(int k) {
  return 0.04 * std::sin(0.05 * k) + 0.02 * std::sin(0.023 * k);
}

/// From the first motion on it is a law that was made with these numbers.
TEST(TwinLaw, IsTheLawOfItsFactors) {
  TwinLaw twin(std::make_unique<BoucWenLaw>(settings()), 2.0);
  twin.follow({.stiffness = 0.8, .yield_force = 1.3, .hardening = 0.5});
  BoucWenLaw other({.stiffness = 0.8 * 2e6,
                    .yield_force = 1.3 * 30e3,
                    .hardening = 0.5 * 0.1,
                    .n = 2.0});
  for (int k = 0; k < 400; ++k)
    ASSERT_NEAR(twin.advance(way(k)), other.advance(way(k)), 1e-9 * 30e3) << k;
}

TEST(TwinLaw, IsTheBilinearLawOfItsFactors) {
  TwinLaw twin(std::make_unique<BilinearLaw>(BilinearLawSettings{
                   .stiffness = 2e6, .yield_force = 30e3, .hardening = 0.1}),
               2.0);
  twin.follow({.stiffness = 0.8, .yield_force = 1.3, .hardening = 0.5});
  BilinearLaw other(
      {.stiffness = 0.8 * 2e6, .yield_force = 1.3 * 30e3, .hardening = 0.5 * 0.1});
  for (int k = 0; k < 400; ++k)
    ASSERT_NEAR(twin.advance(way(k)), other.advance(way(k)), 1e-9 * 30e3) << k;
  const double d = 0.5;  // loaded to z_y, then weaker: z is cut
  twin.follow({});
  EXPECT_NEAR(twin.advance(d), 0.1 * 2e6 * d + 0.9 * 30e3, 1e-6);
  twin.follow({.yield_force = 0.5});
  EXPECT_NEAR(twin.advance(d), 0.1 * 2e6 * d + 0.9 * 15e3, 1e-6);
  twin.reset();
  EXPECT_EQ(twin.factors().yield_force, 1.0);
  EXPECT_EQ(twin.advance(1e-3), 2e3);
}

/// f = α·k·d + (1 − α)·k·z: with z as it was, at rest in d.
TEST(TwinLaw, TakesNewNumbersInMidMotion) {
  TwinLaw twin(std::make_unique<BoucWenLaw>(settings()), 2.0);
  const double d = 1e-4;  // elastic: z = d to (d/z_y)²/6, beside 0.015
  const double before = twin.advance(d);
  EXPECT_NEAR(before, 2e6 * d, 1e-4 * before);
  twin.follow({.stiffness = 1.5});
  EXPECT_NEAR(twin.advance(d), 1.5 * before, 1e-12 * before);
  twin.follow({.hardening = 3.0});
  EXPECT_NEAR(twin.advance(d), before, 1e-4 * before);  // elastic: α does not matter
}

/// Loaded to z_u, then weaker: z is cut to the new one, and the force with it.
TEST(TwinLaw, CutsWhatItHoldsToANewYieldForce) {
  TwinLaw twin(std::make_unique<BoucWenLaw>(settings()), 2.0);
  const double d = 0.5;  // far beyond the knee: z = z_u = 0.015
  EXPECT_NEAR(twin.advance(d), 0.1 * 2e6 * d + 0.9 * 30e3, 1.0);
  twin.follow({.yield_force = 0.5});
  EXPECT_NEAR(twin.advance(d), 0.1 * 2e6 * d + 0.9 * 15e3, 1.0);
}

TEST(TwinLaw, TellsASchemeItsStartAndItsBound) {
  TwinLaw twin(std::make_unique<BoucWenLaw>(settings()), 1.7);
  twin.follow({.stiffness = 1.4, .yield_force = 0.9});
  EXPECT_EQ(twin.initial_stiffness(), 2e6);
  EXPECT_NEAR(twin.largest_stiffness(), 1.7 * 2e6, 1e-6);
  EXPECT_EQ(twin.yield_force(), 30e3);
}

TEST(TwinLaw, GoesOnFromASnapshotAndBeginsAgainToTheBit) {
  TwinLaw one(std::make_unique<BoucWenLaw>(settings()), 2.0);
  const double first = one.advance(way(1));
  for (int k = 2; k < 60; ++k) {
    one.follow({.stiffness = 1.0 + 1e-3 * k, .yield_force = 1.0 - 2e-3 * k});
    one.advance(way(k));
  }
  SnapshotWriter writer;
  one.save(writer);
  TwinLaw other(std::make_unique<BoucWenLaw>(settings()), 2.0);
  SnapshotReader reader(writer.values());
  other.restore(reader);
  EXPECT_TRUE(reader.at_end());
  EXPECT_EQ(other.factors().yield_force, one.factors().yield_force);
  for (int k = 60; k < 90; ++k) EXPECT_EQ(one.advance(way(k)), other.advance(way(k)));
  one.reset();
  EXPECT_EQ(one.factors().stiffness, 1.0);
  EXPECT_EQ(one.advance(way(1)), first);
}

}  // namespace
}  // namespace trestle::materials
