#include "observe/records/audit_table.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/journal/journal_file.h"
#include "core/journal/sqlite_database.h"
#include "core/session/audit_actions.h"
#include "core/types/record_names.h"
#include "tests/core/journal/temporary_folder.h"

namespace trestle {
namespace {

using testing::TemporaryFolder;

/// A journal with these acts in it. @returns the digest of the last
std::string write_journal(const std::string& path, const std::string& node,
                          const std::vector<AuditEntry>& entries) {
  journal::JournalFile journal(path);
  journal.set_meta(meta_key::kSession, "aa");
  journal.set_meta(meta_key::kTest, "frame");
  journal.set_meta(meta_key::kNode, node);
  std::string digest;
  for (const AuditEntry& entry : entries) {
    journal::AuditRecord record{journal.last_audit().sequence + 1,
                                1'700'000'000'000'000'000, entry, ""};
    record.digest = digest = journal::audit_digest(digest, record);
    journal.add_audit(record);
  }
  journal.finish();
  return digest;
}

std::vector<AuditEntry> acts() {
  return {session::audit_override("ann@lab", "TEST.yaml", "arming.allow_unstable",
                                  "it is unstable"),
          session::audit_armed("ann@lab", "terminal", "cafe"),
          session::audit_stopped("ann@lab", "operator channel", "lunch")};
}

/// The problems of all tables.
std::vector<std::string> problems(const std::string& folder) {
  std::vector<std::string> all;
  for (const records::AuditTable& table : records::audit_tables(folder))
    all.insert(all.end(), table.problems.begin(), table.problems.end());
  return all;
}

TEST(AuditTable, TellsTheActsOfAllJournalsInOrder) {
  const TemporaryFolder folder;
  write_journal(folder.file("journal.db"), kIntegratorNode, acts());
  std::filesystem::create_directory(folder.file("west"));
  write_journal(folder.file("west/west.db"), "west",
                {session::audit_armed("ann@lab", "bus: integrator", "cafe")});
  const std::vector<records::AuditTable> tables = records::audit_tables(folder.path());
  ASSERT_EQ(tables.size(), 2U);
  EXPECT_EQ(tables[0].file, "journal.db");
  EXPECT_EQ(tables[0].node, kIntegratorNode);
  EXPECT_EQ(tables[0].test, "frame");
  ASSERT_EQ(tables[0].verdict.entries.size(), 3U);
  EXPECT_EQ(tables[0].verdict.entries[0].entry.text,
            "arming.allow_unstable: it is unstable");
  EXPECT_EQ(tables[1].file, "west/west.db");
  EXPECT_EQ(tables[1].verdict.entries.at(0).entry.what, "armed");
  EXPECT_EQ(problems(folder.path()), std::vector<std::string>());
}

TEST(AuditTable, NamesTheEntryThatWasChanged) {
  const TemporaryFolder folder;
  write_journal(folder.file("journal.db"), kIntegratorNode, acts());
  journal::SqliteDatabase(folder.file("journal.db"),
                          journal::SqliteDatabase::Access::kWrite)
      .execute("UPDATE audit SET who = 'bob@lab' WHERE sequence = 2");
  const std::vector<records::AuditTable> tables = records::audit_tables(folder.path());
  EXPECT_EQ(tables[0].verdict.broken, 2);
  ASSERT_EQ(tables[0].problems.size(), 1U);
  EXPECT_NE(tables[0].problems[0].find("audit entry 2"), std::string::npos);
}

TEST(AuditTable, MissesEntriesAtTheEndOfWhichAPeerKnows) {
  const TemporaryFolder folder;
  const std::string digest =
      write_journal(folder.file("journal.db"), kIntegratorNode, acts());
  write_journal(folder.file("west.db"), "west",
                {session::audit_peer_digest(kIntegratorNode, digest)});
  EXPECT_EQ(problems(folder.path()), std::vector<std::string>());
  journal::SqliteDatabase(folder.file("journal.db"),
                          journal::SqliteDatabase::Access::kWrite)
      .execute("DELETE FROM audit WHERE sequence = 3");
  EXPECT_EQ(
      problems(folder.path()),
      std::vector<std::string>{
          "journal journal.db: no audit entry has the digest " + digest.substr(0, 12) +
          " that west noted of it (west.db, entry 1): entries were lost or taken out, "
          "or the table was written anew"});
}

TEST(AuditTable, HoldsNothingAgainstAJournalOfAnotherSession) {
  const TemporaryFolder folder;
  write_journal(folder.file("journal.db"), kIntegratorNode, acts());
  write_journal(folder.file("west.db"), "west",
                {session::audit_peer_digest(kIntegratorNode, "beef")});
  EXPECT_EQ(problems(folder.path()).size(), 1U);
  journal::SqliteDatabase(folder.file("west.db"), journal::SqliteDatabase::Access::kWrite)
      .execute("UPDATE meta SET value = 'bb' WHERE key = 'session'");
  EXPECT_EQ(problems(folder.path()), std::vector<std::string>());
}

TEST(AuditTable, TellsAFileThatIsNoJournal) {
  const TemporaryFolder folder;
  std::ofstream(folder.file("west.db")) << "no database";
  ASSERT_EQ(problems(folder.path()).size(), 1U);
  EXPECT_NE(problems(folder.path())[0].find("west.db"), std::string::npos);
}

TEST(AuditTable, SaysWhereThereIsNothingToLookAt) {
  const TemporaryFolder folder;
  EXPECT_EQ(
      testing::sentence_of([&] { records::audit_tables(folder.path()); }),
      folder.path() + " has no journal; name the folder of a run or of a site server");
  EXPECT_EQ(testing::sentence_of([&] { records::audit_tables(folder.file("gone")); }),
            "there is no folder " + folder.file("gone"));
}

}  // namespace
}  // namespace trestle
