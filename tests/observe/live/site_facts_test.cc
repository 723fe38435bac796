#include "observe/live/site_facts.h"

#include <gtest/gtest.h>

namespace trestle::live::site_facts_test {
namespace {

using Channels = std::vector<std::string>;

constexpr const char* kContract =
    "contract: trestle 1\n"
    "site.real_equipment: yes\n"
    "site.hardware_watchdog: yes\n"
    "actuators: 1\n"
    "actuators[0].name: 1\n"
    "site_states.specimen.id: C-07\n"
    "site_states.calibration.1.force.serial: 4711\n"
    "site_states.calibration.1.force.due: 2027-10-30\n"
    "site_states.calibration.oil.due: 2026-10-30\n";

TEST(SiteFacts, AreThoseOfTheContract) {
  const SiteFacts facts = read_site_facts(kContract, "2026-11-27");
  EXPECT_TRUE(facts.real_equipment);
  EXPECT_TRUE(facts.hardware_watchdog);
  EXPECT_EQ(facts.specimen, "C-07");
  EXPECT_EQ(facts.calibrated_until, "2026-10-30");
  EXPECT_EQ(facts.expired, Channels{"oil"});
  EXPECT_EQ(facts.uncalibrated, Channels{"1.displacement"});
}

TEST(SiteFacts, TellWhereALimitIsWritten) {
  const SiteFacts facts =
      read_site_facts(kContract, "", "actuators[0].force: site_west.yaml:12\nno line\n");
  ASSERT_EQ(facts.limit_origins.size(), 1U);
  EXPECT_EQ(facts.limit_origins.at("actuators[0].force"), "site_west.yaml:12");
  EXPECT_TRUE(read_site_facts(kContract, "").limit_origins.empty());
}

TEST(SiteFacts, ACalibrationIsValidOnItsLastDay) {
  EXPECT_TRUE(read_site_facts(kContract, "2026-10-30").expired.empty());
  EXPECT_EQ(read_site_facts(kContract, "2026-10-31").expired, Channels{"oil"});
  EXPECT_TRUE(read_site_facts(kContract, "").expired.empty()) << "no day is known";
}

TEST(SiteFacts, ASimulatedRigMissesNoCalibration) {
  std::string simulated = kContract;
  simulated.replace(simulated.find("real_equipment: yes"), 19, "real_equipment: no");
  EXPECT_TRUE(read_site_facts(simulated, "2026-11-27").uncalibrated.empty());
}

TEST(SiteFacts, NameALaboratoryThatTakesNoPart) {
  EXPECT_FALSE(read_site_facts(kContract, "").twin);
  EXPECT_TRUE(
      read_site_facts(std::string(kContract) + "site_states.twin: TWIN: site west\n", "")
          .twin);
}

TEST(SiteFacts, ATextThatIsNoContractHasNone) {
  const SiteFacts facts = read_site_facts("nothing", "2026-11-27");
  EXPECT_FALSE(facts.real_equipment);
  EXPECT_FALSE(facts.hardware_watchdog);
  EXPECT_EQ(facts.calibrated_until, "");
  EXPECT_TRUE(facts.uncalibrated.empty());
}

}  // namespace
}  // namespace trestle::live::site_facts_test
