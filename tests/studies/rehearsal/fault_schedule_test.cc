#include "studies/rehearsal/fault_schedule.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace trestle::rehearsal::fault_plan_test {
namespace {

const ScenarioExtent kShape{.sites = 2, .calls = 1000, .calls_of_steps = 600};

std::string text(const std::vector<ScheduledFault>& faults) {
  std::string lines;
  for (const ScheduledFault& fault : faults)
    lines += std::to_string(fault.at) + " " + sentence(fault, {"west", "east"}) + "\n";
  return lines;
}

TEST(FaultPlan, IsAFunctionOfSeedAndNumber) {
  EXPECT_EQ(text(schedule_faults(3, 17, kShape)), text(schedule_faults(3, 17, kShape)));
  EXPECT_NE(text(schedule_faults(3, 17, kShape)), text(schedule_faults(3, 18, kShape)));
  EXPECT_NE(text(schedule_faults(3, 17, kShape)), text(schedule_faults(4, 17, kShape)));
}

TEST(FaultPlan, DrawsEverySortForEveryNode) {
  std::set<std::pair<FaultType, int>> seen;
  for (int scenario = 0; scenario < 2000; ++scenario)
    for (const ScheduledFault& fault : schedule_faults(1, scenario, kShape)) {
      seen.insert({fault.sort, fault.node});
      EXPECT_GE(fault.at, 0);
      EXPECT_LT(fault.at, kShape.calls);
      EXPECT_GT(fault.duration, Duration::zero());
    }
  // Eight sorts befall a site, the other seven the integrator, too.
  EXPECT_EQ(seen.size(), 8U * 2U + 7U * 3U);
}

TEST(FaultPlan, BeginsInOrder) {
  for (int scenario = 0; scenario < 200; ++scenario) {
    CallCount last = 0;
    for (const ScheduledFault& fault : schedule_faults(1, scenario, kShape)) {
      EXPECT_GE(fault.at, last);
      last = fault.at;
    }
  }
}

}  // namespace
}  // namespace trestle::rehearsal::fault_plan_test
