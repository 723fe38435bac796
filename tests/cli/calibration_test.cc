// The past of measuring channels, from the site's file to the comparison of two runs.
#include <nlohmann/json.hpp>

#include "tests/cli/program_test_case.h"

namespace trestle::cli::calibration_test {
namespace {

class CliCalibration : public ProgramTestCase {
 protected:
  static bool says(const std::string& text, const std::string& words) {
    return text.find(words) != std::string::npos;
  }
  /// A test whose load cell has this serial number, and a calibration that has expired.
  void write_test(const std::string& file, const std::string& serial) const {
    write(file, std::string(kHeavySpecimen) +
                    "    calibration:\n"
                    "      - {channel: 1.force, sensor: LC-250, serial: " +
                    serial +
                    ", factor: 25 kN/V, done: 2000-10-30, due: 2001-10-30, by: ada, "
                    "sampling: 4 kHz}\n");
  }
};

TEST_F(CliCalibration, AnExpiredOneIsAWarningBeforeARunAndInItsRecord) {
  write_test("a.yaml", "4711");
  const Ended check = trestle({"check", "a.yaml"});
  EXPECT_NE(check.code, 2) << check.err;
  EXPECT_TRUE(says(check.out, "WARNING    a.yaml:")) << check.out;
  EXPECT_TRUE(says(check.out,
                   "The calibration of lab 1.force (LC-250, serial 4711) "
                   "expired on 2001-10-30."))
      << check.out;
  const Ended first = trestle({"run", "a.yaml", "--out", "one"});
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_TRUE(says(first.err, "warning: The calibration of lab 1.force")) << first.err;
  EXPECT_EQ(trestle({"export", "one", "--csv", "one.csv"}).code, 0);
  EXPECT_TRUE(
      says(read("one.calibration.csv"),
           "\nlab,1.force,LC-250,4711,25 kN/V,2000-10-30,2001-10-30,ada,,,,,4000\n"))
      << read("one.calibration.csv");
}

TEST_F(CliCalibration, AChangedOneBetweenTwoRunsIsNamed) {
  write_test("a.yaml", "4711");
  write_test("b.yaml", "4712");
  ASSERT_EQ(trestle({"run", "a.yaml", "--out", "one"}).code, 0);
  ASSERT_EQ(trestle({"run", "b.yaml", "--out", "two"}).code, 0);
  const Ended compared =
      trestle({"compare", "one", "two", "--results", "sites.*.tracking"});
  EXPECT_EQ(compared.code, 0) << compared.err;
  EXPECT_TRUE(
      says(compared.out, "two: calibration changed: lab 1.force: serial is 4712, was 4711"))
      << compared.out;
  EXPECT_TRUE(says(compared.out, "sites.lab.tracking[0].delay_s")) << compared.out;
  const auto json =
      nlohmann::json::parse(trestle({"compare", "one", "two", "one", "--json"}).out);
  EXPECT_EQ(json.at("tests").at(0).at("calibration_changes").size(), 0U);
  EXPECT_EQ(json.at("tests").at(1).at("calibration_changes").size(), 1U);
  EXPECT_EQ(json.at("tests").at(2).at("calibration_changes").size(), 0U);
  const Ended mixed = trestle({"compare", "one", "b.yaml"});
  EXPECT_EQ(mixed.code, 2);
  EXPECT_TRUE(says(mixed.err, "b.yaml is no folder")) << mixed.err;
  EXPECT_EQ(trestle({"compare", "one", "two", "--set", "seed=3"}).code, 2);
  EXPECT_EQ(trestle({"compare", folder()}).code, 2);
}

TEST_F(CliCalibration, ASiteListsWhatHasNone) {
  write("site.yaml",
        "site: lab\nlisten: ipc:///tmp/nobody\nas_real_equipment: true\n"
        "limits: {actuators: [{displacement: 1 mm, rate: 1 mm/s, force: 1 kN}]}\n"
        "rig: {actuators: [{kind: ideal}], specimen: {kind: linear, stiffness: [[2e6]]}}\n"
        "calibration: {1.force: {serial: 4711, due: 2001-10-30}}\n");
  const Ended check = trestle({"check", "site.yaml"});
  EXPECT_EQ(check.code, 0) << check.err;
  EXPECT_TRUE(says(check.out,
                   "WARNING    The calibration of lab 1.force (serial 4711) "
                   "expired on 2001-10-30."))
      << check.out;
  EXPECT_TRUE(says(check.out, "no calibration is stated of: 1.displacement")) << check.out;
  const auto json = nlohmann::json::parse(trestle({"check", "site.yaml", "--json"}).out);
  EXPECT_EQ(json.at("without_calibration"), nlohmann::json::array({"1.displacement"}));
  EXPECT_EQ(json.at("expired_calibrations").size(), 1U);
}

TEST_F(CliCalibration, ASiteListsALoadCellThatHasNone) {
  write("site.yaml",
        "site: lab\nlisten: ipc:///tmp/nobody\nas_real_equipment: true\n"
        "limits: {actuators: [{displacement: 1 mm, rate: 1 mm/s, force: 1 kN}]}\n"
        "rig: {actuators: [{kind: ideal}], specimen: {kind: linear, stiffness: "
        "[[2e6, 0, 0], [0, 1, 0], [0, 0, 1]]}}\n"
        "calibration: {1.displacement: {serial: 1}, 1.force: {serial: 2}, load cell 2: "
        "{serial: 3}}\n");
  const Ended check = trestle({"check", "site.yaml"});
  EXPECT_EQ(check.code, 0) << check.err;
  EXPECT_TRUE(says(check.out, "no calibration is stated of: load cell 1")) << check.out;
}

TEST_F(CliCalibration, AMistakeIsRefusedAtItsPlace) {
  write_test("a.yaml", "4711");
  std::string text = read("a.yaml");
  text.replace(text.find("1.force"), 7, "2.force");
  write("b.yaml", text);
  const Ended ended = trestle({"check", "b.yaml"});
  EXPECT_EQ(ended.code, 2) << ended.out;
  EXPECT_TRUE(says(ended.err, "b.yaml:")) << ended.err;
  EXPECT_TRUE(says(ended.err, "is of actuator 2")) << ended.err;
}

}  // namespace
}  // namespace trestle::cli::calibration_test
