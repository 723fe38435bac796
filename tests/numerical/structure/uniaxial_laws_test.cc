// Laws of fibres, against the stresses of an independent program on one path and numbers by
// hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "core/base/setting_error.h"
#include "numerical/materials/concrete_law.h"
#include "numerical/materials/menegotto_pinto_law.h"

namespace trestle::structure::uniaxial_laws_test {
namespace {

using materials::ConcreteLaw;
using materials::MenegottoPintoLaw;

MenegottoPintoLaw steel() {
  return MenegottoPintoLaw({.stiffness = 200e9, .yield_force = 420e6, .hardening = 0.01});
}
ConcreteLaw concrete() {
  return ConcreteLaw(
      {.strength = 30e6, .strain = 0.002, .residual = 6e6, .ultimate_strain = 0.006});
}

TEST(MenegottoPintoLaw, FollowsThePathAsTheProgramSays) {
  const std::vector<double> turns{0.001, -0.001, 0.002, -0.002, 0.004, -0.004};
  const std::vector<double> anchors{199.99998256,   -199.99176908, 385.627835790,
                                    -380.849430720, 423.612255920, -404.524329410};
  MenegottoPintoLaw law = steel();
  double from = 0.0;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    double stress = 0.0;
    for (int k = 1; k <= 100; ++k)
      stress = law.advance(from + (turns[i] - from) * k / 100.0);
    EXPECT_NEAR(1e-6 * stress, anchors[i], 1e-9 * 424.0) << i;
    from = turns[i];
  }
}

TEST(ConcreteLaw, LoadsAndUnloadsAsByHand) {
  ConcreteLaw law = concrete();
  EXPECT_EQ(law.initial_stiffness(), 30e9);
  EXPECT_EQ(law.advance(1e-3), 0.0);
  EXPECT_NEAR(law.advance(-0.0005), -13.125e6, 1.0);
  // Its line would be steeper than E_c.
  EXPECT_NEAR(law.trial(-0.0003, 0.0).stiffness, 30e9, 1.0);
  EXPECT_NEAR(law.advance(-0.0003), -7.125e6, 1.0);
  EXPECT_EQ(law.advance(-0.00006), 0.0);
  EXPECT_NEAR(law.advance(-0.001), -22.5e6, 1.0);
  EXPECT_NEAR(law.advance(-0.002), -30e6, 1.0);
  EXPECT_NEAR(law.advance(-0.003), -24e6, 1.0);
  // eta = 1.5: to 0.52125 ε_c.
  EXPECT_NEAR(law.advance(-0.002), -24e6 * 0.0009575 / 0.0019575, 1.0);
  EXPECT_EQ(law.advance(-0.001), 0.0);
  EXPECT_NEAR(law.advance(-0.003), -24e6, 1.0);
  EXPECT_NEAR(law.advance(-0.004), -18e6, 1.0);
  EXPECT_NEAR(law.advance(-0.008), -6e6, 1.0);
  // eta = 3, not 4: 0.707 + 0.834 of ε_c.
  EXPECT_NEAR(law.advance(-0.006), -6e6 * (0.006 - 0.003082) / (0.008 - 0.003082), 1.0);
}

// On random paths the tangent is that of differences, no energy comes out, a trial leaves
// no trace, and a copy by a snapshot continues to the same bits.
template <typename Make>
void keep_promises(Make make, double modulus) {
  constexpr int kPaths = 10000;
  constexpr int kTurns = 12;
  std::mt19937 random(5);
  std::uniform_real_distribution<double> any(-0.008, 0.004);
  for (int path = 0; path < kPaths; ++path) {
    auto law = make();
    auto copy = make();
    double at = 0.0;
    double stress = 0.0;
    double work = 0.0;
    for (int turn = 0; turn < kTurns; ++turn) {
      const double to = turn + 1 == kTurns ? 0.0 : any(random);
      constexpr int kPoints = 200;
      for (int point = 1; point <= kPoints; ++point) {
        const double next = law.trial(at + (to - at) * point / kPoints, 0.0).force;
        work += 0.5 * (stress + next) * (to - at) / kPoints;
        stress = next;
      }
      constexpr double kAside = 1e-9;
      law.trial(any(random), 0.0);
      const auto less = law.trial(to - kAside, 0.0);
      const auto more = law.trial(to + kAside, 0.0);
      const auto there = law.trial(to, 0.0);
      const double slope = (more.force - less.force) / (2.0 * kAside);
      const double lowest = std::min({less.stiffness, there.stiffness, more.stiffness});
      const double highest = std::max({less.stiffness, there.stiffness, more.stiffness});
      ASSERT_GE(slope, lowest - 1e-4 * modulus) << path << " " << turn;
      ASSERT_LE(slope, highest + 1e-4 * modulus) << path << " " << turn;
      law.commit();
      stress = there.force;
      at = to;
      if (turn == kTurns / 2) {
        SnapshotWriter snapshot;
        law.save(snapshot);
        SnapshotReader reader(snapshot.values());
        copy.restore(reader);
        ASSERT_TRUE(reader.at_end());
      }
      if (turn > kTurns / 2) {
        ASSERT_EQ(copy.advance(to), there.force) << path << " " << turn;
      }
    }
    // A trapezoid over a corner misses up to modulus·h²/8, h = 0.012 / 200, a few a turn.
    ASSERT_GE(work, -2.0 * kTurns * modulus * 0.25 * 3.6e-9 / 8.0) << path;
  }
}

TEST(UniaxialLaws, KeepTheirPromisesOnTenThousandPaths) {
  keep_promises(steel, 200e9);
  keep_promises(concrete, 30e9);
}

TEST(UniaxialLaws, TellWhatIsWrong) {
  const auto problem_of = [](const materials::ConcreteLawSettings& settings) {
    try {
      ConcreteLaw law(settings);
    } catch (const SettingError& error) {
      return error.problems().front().path;
    }
    return std::string("none");
  };
  EXPECT_EQ(problem_of({30e6, 0.002, 31e6, 0.006}), "fu");
  EXPECT_EQ(problem_of({30e6, 0.002, 6e6, 0.002}), "ultimate_strain");
  EXPECT_EQ(problem_of({30e6, 0.002, 0.0, 0.006}), "none");
}

}  // namespace
}  // namespace trestle::structure::uniaxial_laws_test
