#include "site-servers/safety/limit_rehearsal.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/types/setting_error.h"

namespace trestle {
namespace {

constexpr double kTick = 1e-3;

TEST(LimitRehearsal, FindsNothingWrongWithLimitsThatAct) {
  const ActuatorLimits usual{.displacement = 0.06,
                             .rate = 0.4,
                             .force = 250e3,
                             .tracking_error = 0.002,
                             .tracking_dwell = 0.05,
                             .energy_error = 0.2,
                             .acceleration = 20.0};
  EXPECT_EQ(rehearse_limits({usual, usual, {}}, kTick), "");
  EXPECT_EQ(rehearse_limits({{}, {}}, kTick), "");
  EXPECT_EQ(rehearse_limits({}, kTick), "");
}

TEST(LimitRehearsal, FindsNothingWrongAtAnySizeThatARigMayHave) {
  for (const double size : {1e-9, 1e-3, 0.07, 1.0, 33.3, 1e9})
    for (const double tick : {1.0 / 8192, 1e-3, 0.01, 0.0123}) {
      const ActuatorLimits all{.displacement = size,
                               .rate = size,
                               .force = size,
                               .tracking_error = size,
                               .tracking_dwell = 7 * tick,
                               .energy_error = size,
                               .acceleration = size};
      EXPECT_EQ(rehearse_limits({{}, all}, tick), "") << size << " " << tick;
    }
}

TEST(LimitRehearsal, SaysThatADwellWithoutEndProtectsNothing) {
  EXPECT_EQ(rehearse_limits({{}, {.tracking_error = 0.002, .tracking_dwell = 2e4}}, kTick),
            "the tracking error limit of actuator 2, 0.002, does not act: what is just "
            "outside it passes");
}

TEST(LimitRehearsal, SaysThatALimitIsTooFineForTheTick) {
  // δt² of the smallest numbers is none.
  EXPECT_EQ(rehearse_limits({{.acceleration = 1e-300}}, 1e-10),
            "the acceleration limit of actuator 1, 1e-300, does not act: what is just "
            "outside it passes");
}

TEST(LimitRehearsal, SaysThatALimitIsTooLargeForANumber) {
  EXPECT_EQ(rehearse_limits({{.displacement = std::numeric_limits<double>::max()}}, kTick),
            "the displacement limit of actuator 1, 1.79769e+308, does not act: something "
            "else trips in its place");
}

TEST(LimitRehearsal, RefusesWhatTheGateRefuses) {
  EXPECT_THROW(rehearse_limits({{.rate = 0.0}}, kTick), SettingError);
  EXPECT_THROW(rehearse_limits({{}}, 0.0), SettingError);
}

}  // namespace
}  // namespace trestle
