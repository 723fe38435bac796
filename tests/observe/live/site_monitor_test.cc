#include "observe/live/site_monitor.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "observe/live/actuator_json.h"

namespace trestle::live::site_monitor_test {
namespace {

SiteMonitor monitor_of_west() {
  SiteMonitor monitor(
      {.site = "west", .actuators = {{"1", DofKind::kTranslation, {}}}, .time_step = 0.01});
  EXPECT_TRUE(monitor.find_step_columns({{"west.1.target_m", "m"},
                                         {"west.1.command_m", "m"},
                                         {"west.1.measured_m", "m"},
                                         {"west.1.force_N", "N"}}));
  return monitor;
}

void add(SiteMonitor& monitor, std::int64_t index, double measured, double force) {
  const std::array<double, 4> row{measured, measured, measured, force};
  monitor.add_step({index, row});
}

TEST(SiteMonitor, TellsTheWorkOfTheMeasuredForce) {
  SiteMonitor monitor = monitor_of_west();
  add(monitor, 0, 0.0, 0.0);
  add(monitor, 1, 0.002, 4000.0);
  add(monitor, 2, 0.001, 2000.0);
  const ActuatorView west = monitor.take_views().at(0);
  EXPECT_DOUBLE_EQ(west.energy, 4.0 - 3.0);
  EXPECT_DOUBLE_EQ(actuator_json(west).at("energy_J").get<double>(), 1.0);
}

TEST(SiteMonitor, TellsNoWorkIfItCameLate) {
  SiteMonitor monitor = monitor_of_west();
  add(monitor, 500, 0.0, 0.0);
  add(monitor, 501, 0.002, 4000.0);
  const ActuatorView west = monitor.take_views().at(0);
  EXPECT_TRUE(std::isnan(west.energy));
  EXPECT_FALSE(actuator_json(west).contains("energy_J"));
}

// An unused limit is 0 %; one of which no row tells is not.
TEST(SiteMonitor, DoesNotCallALimitUnusedThatNoRowTells) {
  ActuatorLimits limits;
  limits.force = 5000.0;
  SiteMonitor monitor({.site = "west",
                       .actuators = {{"1", DofKind::kTranslation, limits}},
                       .time_step = 0.01});
  ASSERT_TRUE(monitor.find_step_columns({{"west.1.target_m", "m"},
                                         {"west.1.command_m", "m"},
                                         {"west.1.measured_m", "m"},
                                         {"west.1.force_N", "N"}}));
  EXPECT_FALSE(monitor.take_views().at(0).is_use_known());
  add(monitor, 0, 0.0, 0.0);
  const ActuatorView at_rest = monitor.take_views().at(0);
  EXPECT_TRUE(at_rest.is_use_known());
  EXPECT_EQ(at_rest.use(LimitKind::kForce).value, 0.0);
  add(monitor, 1, 0.002, 4000.0);
  EXPECT_EQ(monitor.take_views().at(0).use(LimitKind::kForce).value, 4000.0);
  // The response is missing: the last one says nothing about now.
  add(monitor, 2, std::nan(""), std::nan(""));
  EXPECT_FALSE(monitor.take_views().at(0).is_use_known());
}

}  // namespace
}  // namespace trestle::live::site_monitor_test
