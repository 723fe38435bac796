#include "observe/export/export_ledger.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/observe/run_folder.h"

namespace trestle::export_ledger_test {
namespace {

using testing::file_text;
using testing::RunFolder;
using testing::sentence_of;
using testing::TemporaryFolder;

constexpr const char* kHead =
    "step,site,i0_ns,i1_ns,ir_ns,i2_ns,s1_ns,s2_ns,s3_ns,s4_ns,s5_ns,i3_ns,ij_ns,i4_ns,"
    "clock_bound_ns\n";

Channels stamps_of(const std::string& site) {
  Channels channels;
  for (const char* stamp : {"i0", "i1", "ir", "i2", "s1", "s2", "s3", "s4", "s5", "i3",
                            "ij", "i4", "clock_bound"})
    channels.push_back({site + "." + stamp + "_ns", "ns"});
  return channels;
}

/// A run of two sites; at its second step the other one was missed.
class LedgerFolder {
 public:
  explicit LedgerFolder(const Channels& west) {
    journal::JournalFile journal(file("journal.db"));
    journal.set_meta("session", "aa");
    Channels channels = west;
    const Channels east = stamps_of("lab, east");
    channels.insert(channels.end(), east.begin(), east.end());
    const int ledger = journal.add_stream("ledger", channels);
    if (channels.size() != 26) return;
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    // 78 hours after the run's beginning: no digit may be lost.
    constexpr double kLate = 280'000'000'000'001.0;
    std::vector<double> row;
    for (const double first : {-5.0, kLate})
      for (int i = 0; i < 13; ++i) row.push_back(first + i);
    journal.append(ledger, RecordRow{0, row});
    for (const std::size_t column : {4U, 5U, 6U, 7U, 8U, 9U, 12U}) row[13 + column] = kNone;
    journal.append(ledger, RecordRow{1, row});
    journal.finish();
  }

  std::string path() const { return folder_.path(); }
  std::string file(const std::string& name) const { return folder_.file(name); }

 private:
  TemporaryFolder folder_;
};

TEST(ExportLedger, WritesARowPerStepAndSiteInWholeNanoseconds) {
  const LedgerFolder run(stamps_of("west"));
  exports::export_ledger(run.path(), run.file("ledger.csv"));
  EXPECT_EQ(file_text(run.file("ledger.csv")),
            kHead + std::string("0,west,-5,-4,-3,-2,-1,0,1,2,3,4,5,6,7\n"
                                "0,\"lab, east\",280000000000001,280000000000002,"
                                "280000000000003,280000000000004,280000000000005,"
                                "280000000000006,280000000000007,280000000000008,"
                                "280000000000009,280000000000010,280000000000011,"
                                "280000000000012,280000000000013\n"
                                "1,west,-5,-4,-3,-2,-1,0,1,2,3,4,5,6,7\n"
                                "1,\"lab, east\",280000000000001,280000000000002,"
                                "280000000000003,280000000000004,,,,,,,280000000000011,"
                                "280000000000012,\n"));
}

TEST(ExportLedger, ReadsALedgerThatHasNoStampOfTheRecord) {
  const TemporaryFolder folder;
  journal::JournalFile journal(folder.file("journal.db"));
  journal.set_meta("session", "aa");
  Channels channels = stamps_of("west");
  channels.erase(channels.begin() + 2);
  const int ledger = journal.add_stream("ledger", channels);
  const std::vector<double> row{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  journal.append(ledger, RecordRow{0, row});
  journal.finish();
  exports::export_ledger(folder.path(), folder.file("ledger.csv"));
  EXPECT_EQ(file_text(folder.file("ledger.csv")),
            "step,site,i0_ns,i1_ns,i2_ns,s1_ns,s2_ns,s3_ns,s4_ns,s5_ns,i3_ns,ij_ns,i4_ns,"
            "clock_bound_ns\n0,west,0,1,2,3,4,5,6,7,8,9,10,11\n");
}

TEST(ExportLedger, WritesToStandardOutput) {
  const LedgerFolder run(stamps_of("west"));
  ::testing::internal::CaptureStdout();
  exports::export_ledger(run.path(), "-");
  exports::export_ledger(run.path(), run.file("ledger.csv"));
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), file_text(run.file("ledger.csv")));
}

TEST(ExportLedger, SaysWhyARunHasNone) {
  const RunFolder run;
  EXPECT_EQ(sentence_of([&] { exports::export_ledger(run.path(), run.file("x.csv")); }),
            "this run has no delay ledger: in lock-step under the virtual clock no time "
            "passes that could be accounted for; run it with --set clock=wall, or in "
            "another mode");
}

TEST(ExportLedger, TakesNoColumnForAnother) {
  Channels swapped = stamps_of("west");
  std::swap(swapped[4], swapped[5]);
  const LedgerFolder wrong(swapped);
  EXPECT_EQ(sentence_of([&] { exports::export_ledger(wrong.path(), "-"); }),
            "the ledger of " + wrong.file("journal.db") +
                " has a column west.s2_ns where west.s1_ns should stand");
}

TEST(ExportLedger, SaysWhyItCannotWrite) {
  const LedgerFolder run(stamps_of("west"));
  EXPECT_EQ(
      sentence_of([&] { exports::export_ledger(run.path(), run.file("nowhere/x.csv")); }),
      "cannot write " + run.file("nowhere/x.csv") + ": its folder does not exist");
}

}  // namespace
}  // namespace trestle::export_ledger_test
