#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/journal/journal_file.h"
#include "core/journal/sqlite_database.h"
#include "core/types/record_names.h"
#include "tests/cli/program_test_case.h"

namespace trestle::cli {
namespace {

class Audit : public ProgramTestCase {
 protected:
  Audit() {
    journal::JournalFile journal(path("journal.db"));
    journal.set_meta(meta_key::kSession, "aa");
    journal.set_meta(meta_key::kTest, "frame");
    journal.set_meta(meta_key::kNode, kIntegratorNode);
    std::string digest;
    for (const char* what : {"armed", "held", "stopped"}) {
      journal::AuditRecord record{journal.last_audit().sequence + 1,
                                  1'700'000'000'123'000'000,
                                  {"ann@lab", "terminal", what, "because\x1b[2J"},
                                  ""};
      record.digest = digest = journal::audit_digest(digest, record);
      journal.add_audit(record);
    }
    journal.finish();
  }
};

TEST_F(Audit, PrintsWhoDidWhatAndThatTheChainHolds) {
  const Ended ended = trestle({"audit", folder()});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.out,
            "journal.db: integrator, test frame, session aa\n"
            "  no  time                      who      from      what     text\n"
            "  1   2023-11-14T22:13:20.123Z  ann@lab  terminal  armed    because?[2J\n"
            "  2   2023-11-14T22:13:20.123Z  ann@lab  terminal  held     because?[2J\n"
            "  3   2023-11-14T22:13:20.123Z  ann@lab  terminal  stopped  because?[2J\n"
            "  3 entries, the chain holds\n");
}

TEST_F(Audit, NamesTheEntryWhereTheChainBreaks) {
  journal::SqliteDatabase(path("journal.db"), journal::SqliteDatabase::Access::kWrite)
      .execute("UPDATE audit SET text = 'nothing' WHERE sequence = 2");
  const Ended ended = trestle({"audit", folder()});
  EXPECT_EQ(ended.code, 1);
  EXPECT_NE(ended.out.find("NOT TO BE BELIEVED"), std::string::npos);
  EXPECT_NE(ended.out.find("audit entry 2"), std::string::npos) << ended.out;
  const Ended json = trestle({"audit", folder(), "--json"});
  EXPECT_EQ(json.code, 1);
  const auto told = nlohmann::json::parse(json.out);
  EXPECT_FALSE(told["holds"].get<bool>());
  EXPECT_EQ(told["journals"][0]["broken_entry"], 2);
  EXPECT_EQ(told["journals"][0]["entries"][2]["what"], "stopped");
}

TEST_F(Audit, SaysThatAFolderHasNoJournal) {
  const Ended ended = trestle({"audit", path("gone")});
  EXPECT_EQ(ended.code, 2);
  EXPECT_EQ(ended.err, "there is no folder " + path("gone") + "\n");
}

}  // namespace
}  // namespace trestle::cli
