#include "site-servers/checks/limits_rehearsal.h"

#include <gtest/gtest.h>

namespace trestle::limits_rehearsal_test {
namespace {

constexpr double kTick = 1e-3;

RigLimits agreed() {
  return {{},
          {.displacement = 0.06,
           .rate = 0.3,
           .force = 4e5,
           .tracking_error = 1e-3,
           .tracking_dwell = 0.02,
           .acceleration = 3.0}};
}

std::string refusal(const RigLimits& of_gate) {
  return refusal_of_rehearsal(SafetyGate(of_gate, kTick), agreed(),
                              {{"jack", {}}, {"ram", {}}}, kTick);
}

TEST(LimitsRehearsal, PassesAGateThatKeepsWhatWasAgreed) {
  EXPECT_EQ(refusal(agreed()), "");
}

TEST(LimitsRehearsal, FindsEachLimitThatDidNotReachTheGate) {
  const std::pair<double ActuatorLimits::*, const char*> fields[] = {
      {&ActuatorLimits::displacement, "displacement"},
      {&ActuatorLimits::force, "force"},
      {&ActuatorLimits::tracking_error, "tracking_error"},
      {&ActuatorLimits::acceleration, "acceleration"}};
  for (const auto& [member, name] : fields) {
    RigLimits of_gate = agreed();
    of_gate[1].*member *= 1.01;
    EXPECT_EQ(refusal(of_gate),
              std::string("limits rehearsal: the safety gate lets through what is beyond "
                          "the agreed ") +
                  name + " of actuator ram; do not run: this program is broken");
  }
}

TEST(LimitsRehearsal, FindsARateThatNoOtherLimitKeeps) {
  RigLimits few = {{.rate = 0.3}};
  EXPECT_EQ(refusal_of_rehearsal(SafetyGate(few, kTick), few, {}, kTick), "");
  EXPECT_NE(refusal_of_rehearsal(SafetyGate({{.rate = 0.31}}, kTick), few, {}, kTick)
                .find("rate"),
            std::string::npos);
}

TEST(LimitsRehearsal, FindsADwellThatIsLonger) {
  RigLimits of_gate = agreed();
  of_gate[1].tracking_dwell = 0.03;
  EXPECT_NE(refusal(of_gate).find("tracking_error"), std::string::npos);
}

}  // namespace
}  // namespace trestle::limits_rehearsal_test
