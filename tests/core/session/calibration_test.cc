#include "core/session/calibration.h"

#include <gtest/gtest.h>

#include "core/session/contract_lines.h"

namespace trestle::session::calibration_test {
namespace {

const ChannelCalibration kLoadCell{
    "1.force", {{"sensor", "LC-250"}, {"serial", "4711"}, {"due", "2027-10-30"}}};
const ChannelCalibration kOil{"oil", {{"serial", "17"}}};

TEST(Calibration, IsReadBackFromTheLinesOfAContract) {
  ContractEntries stated{{"safe_action", "hold {}"}};
  for (auto& entry : calibration_entries({kLoadCell, {"2.force", {{"by", "ada: lab"}}}}))
    stated.push_back(std::move(entry));
  const std::string text =
      contract_text({}, {}, {}, {.compensator = {}, .controller = {}, .stated = stated});
  EXPECT_NE(text.find("\nsite_states.calibration.1.force.serial: 4711\n"),
            std::string::npos);
  const std::vector<ChannelCalibration> read = read_calibrations(parse_site_entries(text));
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0], kLoadCell);
  EXPECT_EQ(read[1].channel, "2.force");
  EXPECT_EQ(read[1].fact("by"), "ada: lab");
  EXPECT_EQ(read[1].fact("due"), "");
}

TEST(Calibration, TakesDaysOfTheCalendarAlone) {
  for (const char* day : {"2026-10-30", "2028-02-29", "2000-02-29", "0001-01-01"})
    EXPECT_TRUE(is_calendar_day(day)) << day;
  for (const char* none : {"", "2026-10-3", "2026/10/30", "2026-02-29", "2100-02-29",
                           "2026-13-01", "2026-00-01", "2026-11-31", "2026-10-00",
                           "30.10.2026", "2026-1a-30", "-026-10-30", "2026-10-30 "})
    EXPECT_FALSE(is_calendar_day(none)) << none;
}

TEST(Calibration, IsValidOnItsLastDayAndNotOnTheNext) {
  EXPECT_TRUE(expired_calibrations("west", {kLoadCell, kOil}, "2027-10-30").empty());
  const std::vector<std::string> expired =
      expired_calibrations("west", {kLoadCell, kOil}, "2027-10-31");
  ASSERT_EQ(expired.size(), 1U);
  EXPECT_EQ(expired[0],
            "The calibration of west 1.force (LC-250, serial 4711) expired on 2027-10-30. "
            "Calibrate it again, or write the new one into `calibration`.");
}

TEST(Calibration, IsMissedByActuatorAndQuantity) {
  EXPECT_EQ(uncalibrated_channels({kLoadCell}, 2, 0),
            (std::vector<std::string>{"1.displacement", "2.displacement", "2.force"}));
  EXPECT_TRUE(uncalibrated_channels({}, 0, 0).empty());
}

TEST(Calibration, IsMissedByLoadCell) {
  const ChannelCalibration second{"load cell 2", {{"serial", "12"}}};
  EXPECT_EQ(uncalibrated_channels({kLoadCell, second}, 1, 3),
            (std::vector<std::string>{"1.displacement", "load cell 1", "load cell 3"}));
}

TEST(Calibration, OfAContractIsMissedByWhatItsTestReadsOfRealEquipment) {
  Configured configured;
  configured.layout = {{.name = "roof.x", .role = DofRole::kControlled},
                       {.name = "roof.y", .role = DofRole::kForceOnly}};
  configured.actuators = {{.name = "1"}};
  const auto contract = [&](bool real) {
    SiteDescription site;
    site.real_equipment = real;
    return contract_text(
        site, {}, configured,
        {.compensator = {}, .controller = {}, .stated = calibration_entries({kLoadCell})});
  };
  EXPECT_EQ(uncalibrated_of_contract(contract(true)),
            (std::vector<std::string>{"1.displacement", "load cell 1"}));
  EXPECT_TRUE(uncalibrated_of_contract(contract(false)).empty());
  EXPECT_TRUE(uncalibrated_of_contract("").empty());
}

TEST(Calibration, NamesEachFactThatChanged) {
  ChannelCalibration other = kLoadCell;
  other.facts = {{"sensor", "LC-250"}, {"serial", "4712"}, {"factor", "25 kN/V"}};
  EXPECT_TRUE(calibration_changes("west", {kLoadCell}, {kLoadCell}).empty());
  EXPECT_EQ(calibration_changes("west", {kLoadCell}, {other}),
            (std::vector<std::string>{"west 1.force: serial is 4712, was 4711",
                                      "west 1.force: factor is 25 kN/V, was not stated",
                                      "west 1.force: due is not stated, was 2027-10-30"}));
  EXPECT_EQ(
      calibration_changes("west", {kLoadCell}, {{"2.force", {{"by", "ada"}}}}),
      (std::vector<std::string>{"west 1.force: no calibration is stated, there was one "
                                "(LC-250, serial 4711)",
                                "west 2.force: a calibration is stated, there was none"}));
}

}  // namespace
}  // namespace trestle::session::calibration_test
