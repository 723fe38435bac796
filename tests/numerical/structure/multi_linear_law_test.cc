// Laws of straight lines, against the forces of an independent program on one path.
#include "numerical/materials/multi_linear_law.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/base/setting_error.h"
#include "numerical/materials/gap_law.h"

namespace trestle::structure::multi_linear_law_test {
namespace {

using materials::GapLaw;
using materials::GapSide;
using materials::MultiLinearLaw;

MultiLinearLaw lines(bool elastic = false) {
  return MultiLinearLaw(
      {.points = {{5e-3, 20e3}, {15e-3, 35e3}, {60e-3, 50e3}}, .elastic = elastic});
}

std::string problem_of(const materials::MultiLinearLawSettings& settings) {
  try {
    MultiLinearLaw law(settings);
  } catch (const SettingError& error) {
    return error.what();
  }
  return "none";
}

TEST(MultiLinearLaw, FollowsThePathAsTheProgramSays) {
  const std::vector<double> path{10, -10, 20, -20, 40, -40, 20, -10, 50, 0};
  const std::vector<double> anchors{
      27500,           -27500,         110000.0 / 3.0,  -110000.0 / 3.0, 130000.0 / 3.0,
      -130000.0 / 3.0, 110000.0 / 3.0, -100000.0 / 3.0, 140000.0 / 3.0,  -30000};
  MultiLinearLaw once = lines();
  MultiLinearLaw often = lines();
  double from = 0.0;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const double to = 1e-3 * path[i];
    EXPECT_NEAR(once.advance(to), anchors[i], 1e-9 * 50e3) << i;
    double force = 0.0;
    for (int k = 1; k <= 37; ++k) force = often.advance(from + (to - from) * k / 37.0);
    EXPECT_NEAR(force, anchors[i], 1e-9 * 50e3) << i;
    from = to;
  }
}

TEST(MultiLinearLaw, ElasticOneComesBackOnItsLines) {
  MultiLinearLaw law = lines(true);
  law.advance(40e-3);
  EXPECT_NEAR(law.advance(10e-3), 27500, 1e-6);
  EXPECT_NEAR(law.advance(-5e-3), -20000, 1e-6);
  EXPECT_NEAR(law.advance(0.0), 0.0, 1e-6);
  EXPECT_TRUE(std::isinf(law.yield_force()));
  EXPECT_EQ(lines().yield_force(), 20e3);
}

TEST(MultiLinearLaw, ComesBackFromASnapshot) {
  MultiLinearLaw law = lines();
  law.advance(40e-3);
  law.advance(-3e-3);
  SnapshotWriter snapshot;
  law.save(snapshot);
  MultiLinearLaw other = lines();
  SnapshotReader reader(snapshot.values());
  other.restore(reader);
  EXPECT_TRUE(reader.at_end());
  EXPECT_EQ(other.advance(12e-3), law.advance(12e-3));
}

TEST(MultiLinearLaw, NamesPointsThatCannotWork) {
  EXPECT_EQ(
      problem_of({.points = {{1e-3, 1e3}, {2e-3, 3e3}}}),
      "points[1]: the slope rises from 1e+06 to 2e+06; slopes must fall from point to "
      "point");
  EXPECT_EQ(
      problem_of({.points = {{2e-3, 1e3}, {1e-3, 3e3}}}),
      "points[1]: the displacement is 0.001 behind 0.002; displacements must rise from "
      "point to point");
  EXPECT_EQ(
      problem_of({.points = {{2e-3, 2e3}, {3e-3, 1e3}}}),
      "points[1]: the slope up to here is -1e+06; must not be negative, and the first "
      "must be positive");
  EXPECT_EQ(problem_of({.points = {}}), "points: has no point; give at least one");
}

TEST(GapLaw, ResistsBeyondTheGapInItsDirection) {
  GapLaw gap({.stiffness = 5e6, .gap = 10e-3});
  EXPECT_EQ(gap.advance(20e-3), 50e3);
  EXPECT_EQ(gap.advance(10e-3), 0.0);
  EXPECT_EQ(gap.advance(-20e-3), 0.0);
  EXPECT_EQ(gap.initial_stiffness(), 0.0);
  EXPECT_EQ(gap.largest_stiffness(), 5e6);
  GapLaw hook({.stiffness = 5e6, .gap = 10e-3, .side = GapSide::kHook});
  EXPECT_EQ(hook.advance(-20e-3), -50e3);
  EXPECT_EQ(hook.advance(20e-3), 0.0);
  EXPECT_EQ(GapLaw({.stiffness = 5e6, .gap = 0.0}).initial_stiffness(), 5e6);
  EXPECT_THROW(GapLaw({.stiffness = 5e6, .gap = -1e-3}), SettingError);
  EXPECT_THROW(GapLaw({.stiffness = 0.0}), SettingError);
}

}  // namespace
}  // namespace trestle::structure::multi_linear_law_test
