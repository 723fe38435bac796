#include "observe/live/recorded_arming.h"

#include <gtest/gtest.h>

#include "core/session/audit_actions.h"

namespace trestle::live::recorded_arming_test {
namespace {

TEST(RecordedArming, IsThatOfTheAudit) {
  const std::vector<journal::AuditRecord> audit{
      {1, 10, session::audit_configured("integrator", "bus: west", "5e"), ""},
      {2, 20, session::audit_confirmed("ada@lab", "limits read", "2026-11-27"), ""},
      {3, 30, session::audit_confirmed("bob@lab", "oil warm", "2026-11-27"), ""},
      {4, 40, session::audit_unconfirmed("ada@lab", "nobody in the cage"), ""},
      {5, 50, session::audit_armed("ada@lab", "operator channel", "5e"), ""},
      {6, 60, session::audit_armed("bob@lab", "operator channel", "5e"), ""},
      {7, 70, session::audit_armed("bob@lab", "operator channel", "5f"), ""}};
  const RecordedArming arming = recorded_arming(audit);
  EXPECT_EQ(arming.by, (std::vector<std::string>{"ada@lab", "bob@lab"}));
  EXPECT_EQ(arming.utc_ns, 70);
  EXPECT_EQ(arming.confirmed, 2U);
  EXPECT_EQ(arming.open, "nobody in the cage");
}

TEST(RecordedArming, IsNotWhatAHeldTestAskedForAgain) {
  std::vector<journal::AuditRecord> audit{
      {1, 10, session::audit_confirmed("ada@lab", "limits read", "09:12"), ""},
      {2, 20, session::audit_confirmed("ada@lab", "oil warm (40 C)", "09:13"), ""},
      {3, 30, session::audit_armed("ada@lab", "operator channel", "5e"), ""},
      {4, 40, session::audit_confirmed("bob@lab", "limits read", "10:12"), ""},
      {5, 50, session::audit_confirmed("bob@lab", "oil warm (40 C)", "10:13"), ""},
      {6, 60, session::audit_unconfirmed("bob@lab", "nobody in the cage"), ""}};
  RecordedArming arming = recorded_arming(audit);
  EXPECT_EQ(arming.confirmed, 2U);
  EXPECT_EQ(arming.open, "");
  // The process that resumes a run is armed again, by the same list.
  audit.push_back({7, 70, session::audit_armed("bob@lab", "operator channel", "5e"), ""});
  arming = recorded_arming(audit);
  EXPECT_EQ(arming.confirmed, 2U);
  EXPECT_EQ(arming.open, "nobody in the cage");
}

TEST(RecordedArming, SaysWhatWasWaivedAndWhy) {
  const std::vector<journal::AuditRecord> audit{
      {1, 10, session::audit_waived("ada@lab", "oil warm", "09:12", "it is summer"), ""},
      {2, 20, session::audit_armed("ada@lab", "operator channel", "5e"), ""}};
  const RecordedArming arming = recorded_arming(audit);
  EXPECT_EQ(arming.confirmed, 0U);
  EXPECT_EQ(arming.waived, "oil warm (09:12): it is summer");
}

TEST(RecordedArming, IsNoneBeforeAnybodyArmed) {
  EXPECT_TRUE(recorded_arming({}).by.empty());
}

}  // namespace
}  // namespace trestle::live::recorded_arming_test
