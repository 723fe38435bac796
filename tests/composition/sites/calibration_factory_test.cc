#include "composition/sites/calibration_factory.h"

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include "core/base/setting_error.h"
#include "proto/config/site_file.pb.h"

namespace trestle::composition::calibration_factory_test {
namespace {

std::vector<session::ChannelCalibration> made(const std::string& text, int actuators = 2) {
  config::SiteFile file;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &file)) << text;
  return make_calibrations(file.calibration(), actuators, "calibration");
}

/// "path: what" of each problem, a line each.
std::string problems_of(const std::string& text) {
  try {
    made(text);
  } catch (const SettingError& error) {
    std::string lines;
    for (const SettingIssue& issue : error.problems())
      lines += issue.path + ": " + issue.what + "\n";
    return lines;
  }
  return "";
}

TEST(CalibrationFactory, KeepsWhatIsStatedInOneOrder) {
  const auto read = made(
      "calibration {channel: '1.force' due: '2027-10-30' serial: '4711' sampling: 4096 "
      "sensor: 'LC-250' factor: '25.01 kN/V' done: '2026-10-30' by: 'ada' range: '250 kN' "
      "resolution: '0.01 kN' filter: '100 Hz' certificate: 'lc.pdf'}");
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(read[0].channel, "1.force");
  const session::ContractEntries expected{
      {"sensor", "LC-250"},      {"serial", "4711"},     {"factor", "25.01 kN/V"},
      {"done", "2026-10-30"},    {"due", "2027-10-30"},  {"by", "ada"},
      {"certificate", "lc.pdf"}, {"range", "250 kN"},    {"resolution", "0.01 kN"},
      {"filter", "100 Hz"},      {"sampling_Hz", "4096"}};
  EXPECT_EQ(read[0].facts, expected);
}

TEST(CalibrationFactory, SaysWhatIsWrongAtItsPlace) {
  EXPECT_EQ(problems_of("calibration {channel: '2.displacement' serial: '1'} "
                        "calibration {channel: 'oil' serial: '2'}"),
            "");
  EXPECT_NE(problems_of("calibration {channel: '3.force' serial: '1'}")
                .find("calibration[0]: channel `3.force` is of actuator 3; the actuators "
                      "of this site are 1 to 2"),
            std::string::npos);
  EXPECT_NE(problems_of("calibration {channel: '1.force'}").find("says nothing"),
            std::string::npos);
  EXPECT_NE(problems_of("calibration {channel: '1.force' serial: '1'} "
                        "calibration {channel: '1.force' serial: '2'}")
                .find("calibration[1]: channel `1.force` is there twice"),
            std::string::npos);
  EXPECT_NE(
      problems_of("calibration {channel: '1.force' due: '30.10.2027'}")
          .find("calibration[0].due: due is `30.10.2027`; must be a day as 2026-10-30"),
      std::string::npos);
  EXPECT_NE(problems_of("calibration {channel: '1.force' done: '2026-10-30' "
                        "due: '2026-10-29'}")
                .find("calibration[0].due: due 2026-10-29 is before done 2026-10-30"),
            std::string::npos);
  EXPECT_NE(problems_of("calibration {channel: 'a: b' serial: '1'}").find("colon"),
            std::string::npos);
  EXPECT_NE(problems_of("calibration {channel: '1.force' serial: '" +
                        std::string(101, '1') + "'}")
                .find("has 101 bytes; must be at most 100"),
            std::string::npos);
}

TEST(CalibrationFactory, TakesNoMoreThanAContractBears) {
  std::string text;
  for (int i = 0; i < 400; ++i)
    text += "calibration {channel: 'channel " + std::to_string(i) + "' serial: '" +
            std::string(100, '1') + "'} ";
  EXPECT_NE(problems_of(text).find("must be at most 32768"), std::string::npos);
}

TEST(CalibrationFactory, RefusesAChannelThatTheRigDoesNotHave) {
  RigDescription rig;
  rig.actuators.push_back({"north", DofKind::kTranslation});
  rig.reactions = 1;
  rig.extra = {{"oil_C", "C"}};
  const auto refusal = [&](const std::string& text) -> std::string {
    try {
      require_known_channels(session::calibration_entries(made(text)), rig, "calibration");
    } catch (const SettingError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(
      refusal("calibration {channel: '1.force' serial: '1'} calibration {channel: "
              "'load cell 1' serial: '2'} calibration {channel: 'oil_C' serial: '3'}"),
      "");
  EXPECT_EQ(refusal("calibration {channel: '1.force' serial: '1'} "
                    "calibration {channel: 'oil_F' serial: '3'}"),
            "calibration[1]: the rig has no channel `oil_F`; did you mean `oil_C`?");
  EXPECT_NE(refusal("calibration {channel: '2.force' serial: '1'}").find("no channel"),
            std::string::npos);
}

TEST(CalibrationFactory, KnowsByTheClockWhatHasExpired) {
  const auto stated = session::calibration_entries(
      made("calibration {channel: '1.force' due: '2001-01-01'} "
           "calibration {channel: '2.force' due: '9999-12-31'}"));
  const std::vector<std::string> expired = session::expired_today("west", stated);
  ASSERT_EQ(expired.size(), 1U);
  EXPECT_TRUE(
      expired[0].starts_with("The calibration of west 1.force expired on 2001-01-01"))
      << expired[0];
}

}  // namespace
}  // namespace trestle::composition::calibration_factory_test
