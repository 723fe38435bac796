#include "observe/live/step_ledger.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/journal/journal_file.h"
#include "core/record/ledger_columns.h"
#include "core/types/record_names.h"
#include "tests/core/journal/temporary_folder.h"

namespace trestle::live::step_ledger_test {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// The ledger of one site. Every account of step k lasts 1 ms, the uplink k ms.
class LedgerRecord {
 public:
  explicit LedgerRecord(int steps) : journal_(path()) {
    journal_.set_meta(meta_key::kSession, "aa");
    stream_ =
        journal_.add_stream(stream_name::kLedger, record::LedgerColumns("west").channels());
    for (int k = 0; k < steps; ++k) add(k, k % 10 == 9);
  }

  std::string path() const { return folder_.file("journal.db"); }

  void add(int step, bool missed) {
    std::vector<double> row;
    double now = 1e9 * step;
    const auto names = record::LedgerColumns::names();
    for (std::size_t i = 0; i + 1 < names.size(); ++i) {
      const std::string_view name = names[i];
      if (i > 0) now += name == "s1_ns" ? 1e6 * step : 1e6;
      const bool of_site = name.starts_with('s') || name == "i3_ns";
      row.push_back(missed && of_site ? kMissing : now);
    }
    row.push_back(missed ? kMissing : 41e3 + step);
    journal_.append(stream_, RecordRow{step, row});
  }

 private:
  testing::TemporaryFolder folder_;
  journal::JournalFile journal_;
  int stream_ = 0;
};

const AccountTimes& account(const StepLedger& ledger, std::string_view name) {
  for (const AccountTimes& one : ledger.sites().at(0).accounts)
    if (one.name == name) return one;
  throw std::runtime_error("no such account");
}

TEST(StepLedger, CountsWhereTheTimeOfStepsGoes) {
  LedgerRecord record(20);
  StepLedger ledger(record.path());
  ledger.look(0.0);
  ASSERT_EQ(ledger.sites().size(), 1U);
  const SiteAccounts& site = ledger.sites()[0];
  EXPECT_EQ(site.site, "west");
  EXPECT_EQ(site.steps, 20U);
  EXPECT_EQ(site.missed, 2U);  // 9 and 19
  EXPECT_EQ(ledger.missed(), 2U);
  EXPECT_NEAR(site.clock_bound, 41.018e-6, 1e-12);  // of step 18
  const AccountTimes& uplink = account(ledger, "uplink");
  EXPECT_NEAR(uplink.sum, 1e-3 * (19 * 20 / 2 - 9 - 19), 1e-9);
  EXPECT_EQ(uplink.counts[0], 1U);                     // no time at all
  EXPECT_EQ(uplink.counts[4] + uplink.counts[5], 3U);  // until 3 ms
  EXPECT_EQ(uplink.counts[6], 6U);                     // 4 to 8 and 10 ms
  EXPECT_EQ(uplink.counts[7], 8U);                     // 11 to 18 ms
  EXPECT_NEAR(uplink.median, 10e-3, 1e-9);
  EXPECT_NEAR(account(ledger, "journal").median, 1e-3, 1e-9);
}

TEST(StepLedger, GivesTheTimeOfAMissedAnswerToJoin) {
  LedgerRecord record(10);
  StepLedger ledger(record.path());
  ledger.look(0.0);
  // i2 to ij of step 9: the uplink of 9 ms, and six accounts of 1 ms.
  EXPECT_NEAR(account(ledger, "join").sum, 9e-3 + 15e-3, 1e-9);
  EXPECT_NEAR(account(ledger, "downlink").sum, 9e-3, 1e-9);
}

TEST(StepLedger, GoesOnWithTheRowsThatAreNew) {
  LedgerRecord record(5);
  StepLedger ledger(record.path());
  ledger.look(0.0);
  record.add(5, false);
  ledger.look(2.0);
  EXPECT_EQ(ledger.sites().at(0).steps, 6U);
  EXPECT_NEAR(account(ledger, "uplink").sum, 15e-3, 1e-9);
}

TEST(StepLedger, HasNoSiteWithoutALedger) {
  const testing::TemporaryFolder folder;
  StepLedger nothing(folder.file("journal.db"));
  nothing.look(0.0);
  EXPECT_TRUE(nothing.sites().empty());
  EXPECT_FALSE(nothing.missed());
}

}  // namespace
}  // namespace trestle::live::step_ledger_test
