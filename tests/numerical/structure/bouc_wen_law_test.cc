#include "numerical/materials/bouc_wen_law.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/base/setting_error.h"

namespace trestle::structure::bouc_wen_law_test {
namespace {

constexpr double k = 2e6;
constexpr double kYield = 1e4;
constexpr double kYieldStretch = kYield / k;

materials::BoucWenLawSettings settings(double n, double beta = 0.5, double gamma = 0.5) {
  return {.stiffness = k, .yield_force = kYield, .n = n, .beta = beta, .gamma = gamma};
}

/// The law by many midpoint steps, from its formula alone.
class Reference {
 public:
  explicit Reference(const materials::BoucWenLawSettings& settings) : settings_(settings) {}

  double advance(double displacement) {
    constexpr int kSteps = 10'000;
    const double part = (displacement - displacement_) / kSteps;
    for (int i = 0; i < kSteps; ++i) {
      const double middle = z_ + 0.5 * part * slope(z_, part);
      z_ += part * slope(middle, part);
    }
    displacement_ = displacement;
    return k * (settings_.hardening * displacement + (1.0 - settings_.hardening) * z_);
  }

 private:
  double slope(double z, double direction) const {
    const double sign = z * direction > 0.0 ? 1.0 : z * direction < 0.0 ? -1.0 : 0.0;
    return 1.0 - std::pow(std::abs(z / kYieldStretch), settings_.n) *
                     (settings_.beta * sign + settings_.gamma);
  }

  materials::BoucWenLawSettings settings_;
  double displacement_ = 0.0;
  double z_ = 0.0;
};

// The reference errs by the square of its step (1e-9 of z_y²) where smooth, and by one step
// times the jump of the slope's derivative at the turn: 1e-8 of the yield force for n >= 1.
TEST(BoucWenLaw, AgreesWithAFineReference) {
  for (const materials::BoucWenLawSettings& chosen :
       {settings(2.0), settings(1.0), settings(1.7, 0.3, 0.9), settings(8.0, 0.7, -0.2)}) {
    materials::BoucWenLaw law(chosen);
    Reference reference(chosen);
    for (const double to : {0.4, 2.5, 2.1, -0.3, -1.8, 0.2, 0.1, 3.0}) {
      const double d = to * kYieldStretch;
      EXPECT_NEAR(law.advance(d), reference.advance(d), 2e-7 * kYield)
          << "n " << chosen.n << " to " << to;
    }
  }
}

// n = 2, β + γ = 1: f = f_y·tanh(d/z_y) on first loading.
TEST(BoucWenLaw, FirstLoadingOfTheUsualLawIsATangens) {
  materials::BoucWenLaw law(settings(2.0));
  for (const double to : {0.1, 0.5, 1.0, 2.0})
    EXPECT_NEAR(law.advance(to * kYieldStretch), kYield * std::tanh(to), 1e-8 * kYield);
}

TEST(BoucWenLaw, ReachesItsUltimateStrengthAndNoMore) {
  materials::BoucWenLaw law(settings(3.0, 0.2, 0.3));
  const double ultimate = kYield * std::pow(0.5, -1.0 / 3.0);
  EXPECT_NEAR(law.advance(30.0 * kYieldStretch), ultimate, 1e-9 * kYield);
  EXPECT_NEAR(law.advance(1e6 * kYieldStretch), ultimate, 1e-9 * kYield);
  EXPECT_NEAR(law.advance(-1e6 * kYieldStretch), -ultimate, 1e-9 * kYield);
}

TEST(BoucWenLaw, ManySmallStepsAreOneLargeOne) {
  materials::BoucWenLaw once(settings(2.0));
  materials::BoucWenLaw often(settings(2.0));
  once.advance(2.0 * kYieldStretch);
  for (int i = 1; i <= 500; ++i) often.advance(2.0 * kYieldStretch * i / 500.0);
  for (int i = 1; i <= 500; ++i)
    often.advance(kYieldStretch * (2.0 - 3.5 * static_cast<double>(i) / 500.0));
  EXPECT_NEAR(once.advance(-1.5 * kYieldStretch), often.advance(-1.5 * kYieldStretch),
              1e-8 * kYield);
}

TEST(BoucWenLaw, StartsWithItsInitialStiffness) {
  materials::BoucWenLaw law(settings(2.0));
  const double d = 1e-6 * kYieldStretch;
  EXPECT_NEAR(law.advance(d) / d, law.initial_stiffness(), 1e-9 * k);
}

TEST(BoucWenLaw, KeepsANanInsteadOfHidingIt) {
  materials::BoucWenLaw law(settings(2.0));
  EXPECT_TRUE(std::isnan(law.advance(std::nan(""))));
  EXPECT_TRUE(std::isnan(law.advance(0.0)));
  law.reset();
  EXPECT_EQ(law.advance(0.0), 0.0);
}

TEST(BoucWenLaw, ComesBackFromASnapshot) {
  materials::BoucWenLaw law(settings(2.0));
  law.advance(3.0 * kYieldStretch);
  SnapshotWriter snapshot;
  law.save(snapshot);
  materials::BoucWenLaw other(settings(2.0));
  SnapshotReader reader(snapshot.values());
  other.restore(reader);
  EXPECT_TRUE(reader.at_end());
  EXPECT_EQ(other.advance(-kYieldStretch), law.advance(-kYieldStretch));
}

TEST(BoucWenLaw, RefusesASettingThatCannotWork) {
  EXPECT_THROW(materials::BoucWenLaw(settings(0.5)), SettingError);
  EXPECT_THROW(materials::BoucWenLaw(settings(2.0, -0.1)), SettingError);
  EXPECT_THROW(materials::BoucWenLaw(settings(2.0, 0.5, -0.5)), SettingError);
}

}  // namespace
}  // namespace trestle::structure::bouc_wen_law_test
