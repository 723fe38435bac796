#include "adapters/driver_program/drive_guard.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>
#include <limits>
#include <string>

namespace trestle::driver_program {
namespace {

constexpr double kTick = 0.02;

class DriveGuardTest : public testing::Test {
 protected:
  DriveGuardTest() {
    limits_.displacement.fill(0.004);
    limits_.rate.fill(0.1);  // 2 mm in a tick
    guard_.begin(kTick);
  }
  /// @returns the refusal; empty: accepted, and in force
  std::string drive(double first, double second) {
    const std::array<double, 2> both{first, second};
    std::array<char, driver::kTextLength> why{};
    if (!guard_.accepts(both, limits_, holds_, why)) return why.data();
    guard_.passed(both, holds_);
    return {};
  }

  DriveGuard guard_;
  driver::DriveLimits limits_;
  std::uint32_t holds_ = 0;
};

TEST_F(DriveGuardTest, NamesActuatorNumberLimitAndWhatToDo) {
  EXPECT_EQ(drive(0.0, -0.0041),
            "its driver refuses the drive: displacement 4.1 mm at actuator 2 is above its "
            "limit 4 mm; reduce the motion, or raise `limits.actuators` in the site's file "
            "and start the site again");
  ASSERT_EQ(drive(0.001, 0.0), "");
  EXPECT_EQ(
      drive(-0.0015, 0.0),
      "its driver refuses the drive: rate 125 mm/s at actuator 1 is above its limit "
      "100 mm/s; reduce the motion, or raise `limits.actuators` in the site's file and "
      "start the site again");
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(
      drive(0.0, nothing),
      "its driver refuses the drive: a number that is not finite at actuator 2; see to "
      "the compensator and the controller of the site");
}

TEST_F(DriveGuardTest, NamesTheActuatorAsItsPluginDoes) {
  trestle_channel channel{};
  channel.rotates = 1;
  std::snprintf(channel.name, sizeof channel.name, "head");
  guard_.know(1, channel);
  guard_.know(TRESTLE_MOST_ACTUATORS, channel);
  EXPECT_NE(drive(0.0, 0.0045)
                .find("displacement 4.5 mrad at actuator head is above its "
                      "limit 4 mrad;"),
            std::string::npos);
  ASSERT_EQ(drive(0.0, 0.0), "");
  EXPECT_NE(drive(0.0, 0.003)
                .find("rate 150 mrad/s at actuator head is above its limit "
                      "100 mrad/s;"),
            std::string::npos);
}

TEST_F(DriveGuardTest, EndsANameThatItsPluginDidNotEnd) {
  trestle_channel channel{};
  std::fill(std::begin(channel.name), std::end(channel.name), 'x');
  guard_.know(0, channel);
  EXPECT_NE(drive(1.0, 0.0).find("at actuator " + std::string(31, 'x') + " is above"),
            std::string::npos);
}

TEST_F(DriveGuardTest, DoesNotHideASmallExcessByRounding) {
  const std::string why = drive(0.004 * (1.0 + 1.1e-6), 0.0);
  EXPECT_NE(why.find("displacement just over 4 mm at actuator 1 is above its limit 4 mm"),
            std::string::npos)
      << why;
  EXPECT_EQ(drive(0.004 * (1.0 + 5e-7), 0.0), "") << "rounding";
}

TEST_F(DriveGuardTest, KnowsNoRateAfterAHoldOrBeforeTheFirstDrive) {
  ASSERT_EQ(drive(0.0039, 0.0), "");
  ASSERT_NE(drive(0.0, 0.0), "");
  ++holds_;
  EXPECT_EQ(drive(0.0, 0.0), "");
  ASSERT_NE(drive(0.0039, 0.0), "");
  guard_.begin(kTick);
  EXPECT_EQ(drive(0.0039, 0.0), "");
}

TEST_F(DriveGuardTest, TakesALimitThatIsNoNumberForNoPermission) {
  limits_.displacement[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(drive(0.0, 0.0), "");
  limits_.displacement[1] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(drive(0.0, 1e6), "");
}

/// What the site shows of it: PluginRig cuts the words of a plug-in at 300 letters.
TEST_F(DriveGuardTest, FitsIntoWhatTheSiteShows) {
  trestle_channel channel{};
  channel.rotates = 1;
  std::fill(std::begin(channel.name), std::end(channel.name), 'x');
  guard_.know(0, channel);
  limits_.rate[0] = 1.23456789e-5;
  limits_.displacement[0] = 1.0;
  ASSERT_EQ(drive(0.0, 0.0), "");
  EXPECT_LT(drive(1.23456789e-5, 0.0).size(), 300U);
}

}  // namespace
}  // namespace trestle::driver_program
