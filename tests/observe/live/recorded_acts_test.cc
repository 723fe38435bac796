#include "observe/live/recorded_acts.h"

#include <gtest/gtest.h>

namespace trestle::live::recorded_acts_test {
namespace {

TEST(RecordedActs, TellWhoMovedAndWhoHeldTheRigs) {
  const std::vector<journal::AuditRecord> audit{
      {1, 10, {"integrator", "bus: west", "configured", "contract 5e"}, ""},
      {2, 20, {"ada@lab", "operator channel", "armed", "contract 5e"}, ""},
      {3, 21, {"ada@lab", "operator channel", "armed", "contract 7c"}, ""},
      {4, 30, {"bob@west", "bus: west", "held", "a leak"}, ""},
      {5, 40, {"bob@west", "operator channel", "noted", "step 2, 0.2 s: crack"}, ""},
      {6, 50, {"ada@lab", "terminal", "resumed", "from step 3 on, contract 5e"}, ""},
      {7, 60, {"cy@lab", "operator channel", "cleared", "west: force above 250 kN"}, ""},
      {8, 70, {"integrator", "bus: integrator", "stopped", "all steps are done"}, ""}};
  EXPECT_EQ(recorded_acts(audit),
            (std::vector<RecordedAct>{{"armed", "ada@lab", "operator channel", "", 21},
                                      {"held", "bob@west", "bus: west", "a leak", 30},
                                      {"resumed", "ada@lab", "terminal", "", 50},
                                      {"cleared", "cy@lab", "operator channel",
                                       "west: force above 250 kN", 60}}));
}

TEST(RecordedActs, KeepTwoPersonsWhoArmedApart) {
  const std::vector<journal::AuditRecord> audit{
      {1, 20, {"ada@lab", "operator channel", "armed", "contract 5e"}, ""},
      {2, 21, {"bob@lab", "operator channel", "armed", "contract 5e"}, ""},
      {3, 22, {"ada@lab", "operator channel", "armed", "contract 7c"}, ""},
      {4, 23, {"bob@lab", "operator channel", "armed", "contract 7c"}, ""}};
  ASSERT_EQ(recorded_acts(audit).size(), 2U);
  EXPECT_EQ(recorded_acts(audit)[0].who, "ada@lab");
  EXPECT_EQ(recorded_acts(audit)[1].who, "bob@lab");
}

}  // namespace
}  // namespace trestle::live::recorded_acts_test
