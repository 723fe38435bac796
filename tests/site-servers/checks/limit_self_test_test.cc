#include "site-servers/checks/limit_self_test.h"

#include <gtest/gtest.h>

#include <cmath>

namespace trestle::checks::limits_rehearsal_test {
namespace {

constexpr double kTick = 1e-3;

RigLimits agreed() {
  return {{},
          {.displacement = 0.06,
           .rate = 0.3,
           .force = 4e5,
           .tracking_error = 1e-3,
           .tracking_dwell = 0.02,
           .energy_error = 0.3,
           .acceleration = 3.0}};
}

std::string refusal(const RigLimits& of_gate) {
  return run_limit_self_test(safety::SafetyGate(of_gate, kTick),
                             safety::EnergyErrorMonitor(of_gate, kTick), agreed(),
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
      {&ActuatorLimits::energy_error, "energy_error"},
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
  const RigLimits few = {{.rate = 0.3}};
  const auto refusal = [&few](const RigLimits& of_gate) {
    return run_limit_self_test(safety::SafetyGate(of_gate, kTick),
                               safety::EnergyErrorMonitor(of_gate, kTick), few, {}, kTick);
  };
  EXPECT_EQ(refusal(few), "");
  EXPECT_NE(refusal({{.rate = 0.31}}).find("rate"), std::string::npos);
}

TEST(LimitsRehearsal, FindsATargetLimitThatIsNotKept) {
  const InterfaceLayout layout{{.name = "floor.x", .displacement_limit = 0.06},
                               {.name = "floor.rz",
                                .kind = DofKind::kRotation,
                                .displacement_limit = ActuatorLimits::kNone},
                               {.name = "roof.x", .displacement_limit = 0.05}};
  // Of a site that keeps to these.
  const auto refusal = [&layout](double floor, double roof, bool minds_numbers) {
    return run_limit_self_test(layout, [=](const InterfaceVector& target) {
      const double most[] = {floor, ActuatorLimits::kNone, roof};
      for (Eigen::Index i = 0; i < target.size(); ++i)
        if (minds_numbers ? !(std::abs(target[i]) <= most[i] && std::isfinite(target[i]))
                          : std::abs(target[i]) > most[i])
          return Fault{FaultKind::kTargetLimit, static_cast<int>(i), target[i], most[i]};
      return Fault{};
    });
  };
  EXPECT_EQ(refusal(0.06, 0.05, true), "");
  EXPECT_EQ(refusal(0.06, 0.051, true),
            "limits rehearsal: the site would follow a target beyond the agreed limit of "
            "roof.x; do not run: this program is broken");
  EXPECT_NE(refusal(0.061, 0.05, true).find("floor.x"), std::string::npos);
  EXPECT_NE(refusal(0.06, 0.05, false).find("floor.x"), std::string::npos);
}

TEST(LimitsRehearsal, FindsADwellThatIsLonger) {
  RigLimits of_gate = agreed();
  of_gate[1].tracking_dwell = 0.03;
  EXPECT_NE(refusal(of_gate).find("tracking_error"), std::string::npos);
}

}  // namespace
}  // namespace trestle::checks::limits_rehearsal_test
