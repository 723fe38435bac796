#include <nlohmann/json.hpp>

#include "tests/cli/program_test_case.h"

namespace trestle::cli {
namespace {

class CliIdentify : public ProgramTestCase {
 protected:
  static std::string study(const std::string& name) {
    return std::string(TRESTLE_SOURCE_DIR "/examples/identification/") + name;
  }
};

TEST_F(CliIdentify, PrintsOneScreenAndKeepsWhatItFound) {
  const Ended ended = trestle({"identify", study("tyre.yaml"), "--out", "found"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(ended.out.find("suspension_stiffness        kv1"), std::string::npos)
      << ended.out;
  EXPECT_NE(ended.out.find("total_mass"), std::string::npos);
  for (const char* file :
       {"found/summary.json", "found/residual_1.csv", "found/residual_1.svg"})
    EXPECT_TRUE(exists(file)) << file;
  const auto summary = nlohmann::json::parse(read("found/summary.json"));
  EXPECT_TRUE(summary.at("parameters").at("tyre_stiffness").at("identifiable"));
}

TEST_F(CliIdentify, SaysWhatTheReadingsDoNotDetermine) {
  const Ended ended = trestle({"identify", study("printed.yaml")});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(ended.out.find("NOT IDENTIFIABLE from these readings: body_mass, wheel_mass, "
                           "suspension_damping, suspension_stiffness, tyre_stiffness"),
            std::string::npos)
      << ended.out;
}

TEST_F(CliIdentify, PrintsNothingButJsonWhereThatIsAsked) {
  const Ended ended =
      trestle({"identify", study("printed.yaml"), "--json", "--set", "noise.level=0"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  const auto summary = nlohmann::json::parse(ended.out);
  EXPECT_NEAR(summary.at("parameters").at("body_mass").at("estimate").get<double>(), 1e4,
              1e-2);
  EXPECT_TRUE(summary.contains("iterations"));
  EXPECT_TRUE(summary.contains("condition_number"));
}

TEST_F(CliIdentify, TellsAMistakeWithItsPlaceAndWritesNothing) {
  const Ended ended = trestle({"identify", study("tyre.yaml"), "--out", "found", "--set",
                               "sensors.midspan.at=31 m"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_EQ(ended.err.rfind("--set sensors.midspan.at: at is 31 m, which is not on", 0), 0U)
      << ended.err;
  EXPECT_FALSE(exists("found"));
}

}  // namespace
}  // namespace trestle::cli
