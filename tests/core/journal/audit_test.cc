#include <gtest/gtest.h>

#include "core/base/sha256.h"
#include "core/journal/audit_chain.h"
#include "core/journal/journal_reader.h"
#include "core/journal/sqlite_database.h"
#include "tests/core/journal/record_bench.h"

namespace trestle::journal::audit_test {
namespace {

using testing::kSession;
using testing::kStreams;
using Bench = testing::RecordBench;

AuditEntry entry(const std::string& what) {
  return {"ann@lab", "terminal", what, "by hand"};
}

/// A journal with three entries of two lives.
class AuditedJournal {
 public:
  AuditedJournal() {
    auto recorder = bench_.recorder();
    EXPECT_EQ(recorder->audit_digest(), "");
    recorder->open(kSession, {}, kStreams);
    recorder->audit(entry("armed"));
    recorder->audit(entry("held"));
    recorder = bench_.recorder();
    recorder->resume(kSession, kStreams, std::vector<std::int64_t>{0, 0});
    const std::string before = recorder->audit_digest();
    recorder->audit(entry("stopped"));
    digest_ = recorder->audit_digest();
    EXPECT_NE(before, digest_);
    EXPECT_EQ(digest_.size(), 64u);
    recorder->close();
    EXPECT_EQ(recorder->audit_digest(), digest_);
  }

  AuditVerification verdict() const { return verify_audit(bench_.database()); }
  AuditVerification after(const std::string& sql) const {
    SqliteDatabase(bench_.database(), SqliteDatabase::Access::kWrite).execute(sql);
    return verdict();
  }
  const std::string& digest() const { return digest_; }

 private:
  Bench bench_;
  std::string digest_;
};

TEST(Audit, HoldsAcrossLivesAndGivesTheEntriesInOrder) {
  const AuditedJournal journal;
  const AuditVerification verdict = journal.verdict();
  EXPECT_EQ(verdict.digest, journal.digest());
  EXPECT_EQ(verdict.broken, std::nullopt) << verdict.sentence;
  ASSERT_EQ(verdict.entries.size(), 3u);
  EXPECT_EQ(verdict.entries[0].entry, entry("armed"));
  EXPECT_EQ(verdict.entries[2].entry, entry("stopped"));
  EXPECT_EQ(verdict.entries[2].sequence, 3);
  EXPECT_GE(verdict.entries[2].utc_ns, verdict.entries[0].utc_ns);
}

// Worked out from the words of docs/reference/journal-format.md alone.
TEST(Audit, HasTheDigestThatTheDocumentStates) {
  const std::vector<AuditRecord> entries = AuditedJournal().verdict().entries;
  const auto number = [](std::uint64_t value) {
    std::string bytes;
    for (int i = 0; i < 8; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xFF);
    return bytes;
  };
  const auto field = [&](const std::string& text) {
    return number(text.size()) + text;
  };
  std::string previous;
  for (std::uint64_t at = 0; at < 3; ++at) {
    const AuditRecord& record = entries.at(at);
    EXPECT_EQ(record.digest,
              sha256(field(previous) + number(at + 1) +
                     number(static_cast<std::uint64_t>(record.utc_ns)) + field("ann@lab") +
                     field("terminal") + field(record.entry.what) + field("by hand")));
    previous = record.digest;
  }
}

TEST(Audit, FindsWhatWasChanged) {
  for (const std::string change :
       {"who = 'bob@lab'", "origin = 'bus'", "what = 'armeD'", "text = ''",
        "utc_ns = utc_ns + 1", "digest = replace(digest, 'a', 'b') || '0'"})
    EXPECT_EQ(
        AuditedJournal().after("UPDATE audit SET " + change + " WHERE sequence = 2").broken,
        2)
        << change;
}

TEST(Audit, FindsWhatWasTakenOut) {
  const AuditVerification verdict =
      AuditedJournal().after("DELETE FROM audit WHERE sequence = 1");
  EXPECT_EQ(verdict.broken, 2);
  EXPECT_NE(verdict.sentence.find("entry 2 stands where entry 1 should"),
            std::string::npos);
}

TEST(Audit, FindsWhatWasWrittenAnewByItsDigestElsewhere) {
  const AuditedJournal journal;
  const AuditVerification verdict = journal.after("DELETE FROM audit WHERE sequence = 3");
  EXPECT_EQ(verdict.broken, std::nullopt) << "the chain itself cannot tell";
  EXPECT_NE(verdict.digest, journal.digest());
}

TEST(AuditQueue, LinksWhatItCut) {
  const Bench bench;
  {
    const auto recorder = bench.recorder();
    recorder->open(kSession, {}, kStreams);
    recorder->audit(
        {std::string(5000, 'w'), std::string(5000, 'f'), "limit", std::string(5000, 't')});
  }
  const AuditVerification verdict = verify_audit(bench.database());
  EXPECT_EQ(verdict.broken, std::nullopt);
  EXPECT_EQ(verdict.entries[0].entry.text, std::string(1023, 't'));
}

}  // namespace
}  // namespace trestle::journal::audit_test
