#include "site-servers/node/limit_merge.h"

#include <gtest/gtest.h>

#include "core/base/setting_error.h"

namespace trestle::limit_merge_test {
namespace {

TEST(LimitMerge, LetsTheTighterHoldAndTellsWhichTheSiteTightened) {
  const RigLimits test{{.displacement = 0.06, .rate = 0.4, .force = 250e3},
                       {.force = 400e3}};
  const RigLimits site{{.displacement = 0.08, .rate = 0.3, .force = 250e3},
                       {.displacement = 0.02, .force = 300e3}};
  std::vector<std::string> lines;
  const RigLimits both = site_node::merge_limits(
      test, site, &lines, {DofKind::kTranslation, DofKind::kRotation},
      [](const std::string& field) {
        return field == "actuators[0].rate" ? "site_west.yaml:12" : "";
      });
  const RigLimits expected{{.displacement = 0.06, .rate = 0.3, .force = 250e3},
                           {.displacement = 0.02, .force = 300e3}};
  EXPECT_EQ(both, expected);
  const std::vector<std::string> told{"actuator 1 rate 300 mm/s (site_west.yaml:12)",
                                      "actuator 2 displacement 20 mrad",
                                      "actuator 2 force 300 kN.m"};
  EXPECT_EQ(lines, told);
}

TEST(LimitMerge, TakesTheOneThatSpeaks) {
  const RigLimits some{{.rate = 0.3}};
  EXPECT_EQ(site_node::merge_limits(some, RigLimits{}, nullptr), some);
  EXPECT_EQ(site_node::merge_limits(RigLimits{}, some, nullptr), some);
  EXPECT_TRUE(site_node::merge_limits(RigLimits{}, RigLimits{}, nullptr).empty());
}

TEST(LimitMerge, KeepsTheDwellWithItsTrackingError) {
  const RigLimits none(1);
  const RigLimits one{{.tracking_error = 0.002, .tracking_dwell = 0.05}};
  const RigLimits other{{.tracking_error = 0.003, .tracking_dwell = 0.02}};
  EXPECT_EQ(site_node::merge_limits(none, one, nullptr), one);
  EXPECT_EQ(site_node::merge_limits(one, none, nullptr), one);
  const RigLimits expected{{.tracking_error = 0.002, .tracking_dwell = 0.02}};
  EXPECT_EQ(site_node::merge_limits(one, other, nullptr), expected);
}

TEST(LimitMerge, RefusesLimitsOfDifferentNumbersOfActuators) {
  EXPECT_THROW(site_node::merge_limits(RigLimits(2), RigLimits(3), nullptr), SettingError);
}

TEST(LimitMerge, DoesTheSameForTargets) {
  const InterfaceLayout test{{.name = "a.x", .displacement_limit = 0.06},
                             {.name = "a.rz", .kind = DofKind::kRotation}};
  const InterfaceLayout site{
      {.name = "a.x", .displacement_limit = 0.07},
      {.name = "a.rz", .kind = DofKind::kRotation, .displacement_limit = 0.02}};
  std::vector<std::string> lines;
  const InterfaceLayout both = site_node::merge_limits(test, site, &lines);
  EXPECT_EQ(both[0].displacement_limit, 0.06);
  EXPECT_EQ(both[1].displacement_limit, 0.02);
  EXPECT_EQ(lines, std::vector<std::string>{"a.rz displacement 20 mrad"});
}

}  // namespace
}  // namespace trestle::limit_merge_test
