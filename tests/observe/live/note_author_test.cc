#include "observe/live/note_author.h"

#include <gtest/gtest.h>

#include "core/session/audit_actions.h"

namespace trestle::live::note_author_test {
namespace {

TEST(NoteAuthor, IsThatOfTheNote) {
  const std::vector<journal::AuditRecord> audit{
      {1, 10, session::audit_noted("ada@lab", "page", "step 4, 0.4 s: a crack"), ""},
      {2, 20, session::audit_noted("bob@west", "terminal", "step 9, 0.9 s: a crack"), ""},
      {3, 30, session::audit_held("eve@east", "operator channel", "a crack"), ""},
      {4, 40, session::audit_noted("eve@east", "terminal", "step 9, 0.9 s: oil warm"), ""}};
  EXPECT_EQ(note_author(audit, "a crack", 0), "ada@lab");
  EXPECT_EQ(note_author(audit, "a crack", 1), "bob@west");
  EXPECT_EQ(note_author(audit, "a crack", 2), "");
  EXPECT_EQ(note_author(audit, "oil warm", 0), "eve@east");
  EXPECT_EQ(note_author(audit, "oil", 0), "");
  EXPECT_EQ(note_author({}, "a crack", 0), "");
}

}  // namespace
}  // namespace trestle::live::note_author_test
