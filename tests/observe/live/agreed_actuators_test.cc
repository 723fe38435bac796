#include "observe/live/agreed_actuators.h"

#include <gtest/gtest.h>

#include "core/session/session_contract.h"

namespace trestle::live::agreed_actuators_test {
namespace {

TEST(AgreedActuators, AreReadBackFromTheContractThatBothEndsMake) {
  Configured configured;
  configured.actuators = {{.name = "jack", .kind = DofKind::kTranslation},
                          {.name = "twist", .kind = DofKind::kRotation}};
  configured.limits = {{.displacement = 0.06,
                        .rate = 0.4,
                        .force = 250e3,
                        .tracking_error = 0.002,
                        .tracking_dwell = 0.01,
                        .energy_error = 0.3,
                        .acceleration = 16.0},
                       {.displacement = 0.02, .force = 400e3}};
  Configure configure;
  configure.ticks_per_step = 5;
  const std::string text = session::contract_text({}, configure, configured, {});
  const std::vector<AgreedActuator> read = read_agreed_actuators(text);
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].name, "jack");
  EXPECT_EQ(read[0].limits, configured.limits[0]);
  EXPECT_EQ(read[1].kind, DofKind::kRotation);
  EXPECT_EQ(read[1].limits, configured.limits[1]);
  EXPECT_EQ(contract_value(text, "ticks_per_step"), "5");
  EXPECT_EQ(contract_value(text, "nothing"), "");
}

TEST(AgreedActuators, ATextThatIsNoContractHasNone) {
  EXPECT_TRUE(read_agreed_actuators("").empty());
  EXPECT_TRUE(read_agreed_actuators("actuators: nan\n").empty());
  EXPECT_EQ(read_agreed_actuators("actuators: 1e99\n").size(), 16U);
}

}  // namespace
}  // namespace trestle::live::agreed_actuators_test
