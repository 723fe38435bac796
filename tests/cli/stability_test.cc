#include <nlohmann/json.hpp>

#include "tests/cli/program_test_case.h"

namespace trestle::cli {
namespace {

using CliStability = ProgramTestCase;

TEST_F(CliStability, IsToldBeforeTheTestIsRun) {
  const Ended whole = trestle({"check", example("test.yaml")});
  EXPECT_EQ(whole.code, 0) << whole.err;
  EXPECT_NE(whole.out.find("stability  without compensation UNSTABLE (the actuators are "
                           "11.9 ms late; 2.27 ms would be too much); with ats, as it "
                           "starts: stable, margin 1.93 ms   ok\n"),
            std::string::npos)
      << whole.out;
  const Ended bare =
      trestle({"check", example("test.yaml"), "--set", "sites.west.compensator=none"});
  EXPECT_EQ(bare.code, 3) << bare.err;
  EXPECT_NE(bare.out.find("stability  UNSTABLE (the actuators are 11.9 ms late; 2.27 ms "
                          "would be too much)   UNSTABLE\n"),
            std::string::npos)
      << bare.out;
}

TEST_F(CliStability, IsAnObjectForPrograms) {
  const Ended ended = trestle({"check", example("test.yaml"), "--json"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const nlohmann::json stability = nlohmann::json::parse(ended.out).at("stability");
  EXPECT_TRUE(stability.at("known").get<bool>());
  EXPECT_TRUE(stability.at("stable").get<bool>());
  EXPECT_EQ(stability.at("actuators").size(), 4U);
  const nlohmann::json& initial = stability.at("cases").at(0);
  EXPECT_FALSE(initial.at("uncompensated").at("stable").get<bool>());
  EXPECT_GT(initial.at("uncompensated").at("spectral_radius").get<double>(), 1.0);
  EXPECT_EQ(initial.at("compensated").at("margins_of_actuators").size(), 4U);
  EXPECT_NEAR(initial.at("critical_delay").at("delay_s").get<double>(), 0.00227, 1e-5);
}

}  // namespace
}  // namespace trestle::cli
