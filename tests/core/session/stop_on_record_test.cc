#include "core/session/stop_on_record.h"

#include <gtest/gtest.h>

#include "core/session/audit_actions.h"

namespace trestle::session::stop_on_record_test {
namespace {

TEST(StopOnRecord, IsTheLastOneOfAPersonThatNoResumeFollows) {
  const AuditEntry stop = audit_stopped("ada@lab", kOperatorChannel, "a crack");
  const AuditEntry resumed = audit_resumed("bob@lab", "terminal", "7", "of each site");
  EXPECT_FALSE(stop_on_record({}));
  EXPECT_FALSE(stop_on_record({resumed}));
  EXPECT_EQ(stop_on_record({resumed, stop}), stop);
  EXPECT_FALSE(stop_on_record({stop, resumed}));
  const AuditEntry heard = audit_stopped("ada@lab", "bus: integrator", "a crack");
  EXPECT_EQ(stop_on_record({stop, resumed, heard}), heard);
}

TEST(StopOnRecord, IsNoEndThatNobodyAskedFor) {
  EXPECT_FALSE(stop_on_record({audit_stopped("integrator", "by itself", "complete")}));
  EXPECT_FALSE(stop_on_record({audit_stopped("ada@lab", kOperatorChannel, kSetAside)}));
}

TEST(HoldOnRecord, IsTheLastOneOfAPersonHereThatNoResumeAndNoArmingFollows) {
  const AuditEntry hold = audit_held("ada@lab", kOperatorChannel, "a crack");
  const AuditEntry elsewhere = audit_held("bob@lab", "bus: integrator", "a noise");
  const AuditEntry resumed = audit_resumed("bob@lab", "terminal", "7", "of each site");
  const AuditEntry armed = audit_armed("bob@lab", "terminal", "0123");
  EXPECT_FALSE(hold_on_record({elsewhere}));
  EXPECT_FALSE(
      hold_on_record({audit_held("ada@lab", "signal", "SIGTERM ends the server")}));
  EXPECT_EQ(hold_on_record({armed, resumed, hold, elsewhere}), hold);
  EXPECT_FALSE(hold_on_record({hold, resumed}));
  EXPECT_FALSE(hold_on_record({hold, armed}));
  EXPECT_FALSE(hold_on_record({hold, audit_heard("bus: integrator", hold)}));
  EXPECT_EQ(hold_on_record({hold, audit_heard("bus: integrator", hold), hold}), hold);
}

TEST(StopOnRecord, IsWithdrawnByAPersonWhoHoldsTheRigAfterIt) {
  const AuditEntry stop = audit_stopped("ada@lab", kOperatorChannel, "enough");
  const AuditEntry hold = audit_held("bob@lab", kOperatorChannel, "a hand in the rig");
  EXPECT_EQ(stop_on_record({hold, stop}), stop);
  EXPECT_FALSE(stop_on_record({stop, hold}));
  EXPECT_EQ(stop_on_record({stop, audit_held("west", "bus: integrator", "a limit")}), stop);
}

TEST(SiteHoldOnRecord, IsTheLastOneOfAPersonAtASiteThatNoResumeFollows) {
  const AuditEntry hold =
      audit_held("ada (a@lab)", "bus: west", "held by ada (a@lab): a crack");
  const AuditEntry ended =
      audit_held("ada (a@lab)", "bus: west", "SIGTERM ends the server");
  const AuditEntry here = audit_held("bob@run", kOperatorChannel, "a pause");
  const AuditEntry resumed = audit_resumed("bob@run", "terminal", "7", "of each site");
  EXPECT_EQ(site_hold_on_record({resumed, hold, ended, here}), hold);
  EXPECT_FALSE(site_hold_on_record({ended, here}));
  EXPECT_FALSE(site_hold_on_record({hold, resumed}));
}

}  // namespace
}  // namespace trestle::session::stop_on_record_test
