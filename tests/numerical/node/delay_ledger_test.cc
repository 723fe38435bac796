#include "numerical/node/delay_ledger.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "tests/numerical/node/session_fakes.h"

namespace trestle::integrator_node::delay_ledger_test {
namespace {

using std::chrono::nanoseconds;

TimePoint at(std::int64_t ns) {
  return TimePoint{Duration{ns}};
}

Duration sum(const DelayLedger::Durations& accounts) {
  return std::accumulate(accounts.begin(), accounts.end(), Duration::zero());
}

Duration of(const DelayLedger::Durations& accounts, DelayComponent account) {
  return accounts[static_cast<std::size_t>(account)];
}

/// Keeps the rows.
struct Rows final : RowSink {
  bool push(const RecordRow& row) noexcept override {
    steps.push_back(row.index);
    values.emplace_back(row.values.begin(), row.values.end());
    return room;
  }
  std::vector<std::int64_t> steps;
  std::vector<std::vector<double>> values;
  bool room = true;
};

/// A step's answer with the site's five stamps, on its own clock.
StepResponse response(std::int64_t step, std::array<std::int64_t, 5> stamps) {
  StepResponse response;
  response.step = step;
  response.stamps = {at(stamps[0]), at(stamps[1]), at(stamps[2]), at(stamps[3])};
  response.exchange.transmit = at(stamps[4]);
  return response;
}

/// Begun at `from`, ready 10 later, recorded 3 and sent 5 after that.
void begin(DelayLedger& ledger, std::int64_t step, std::int64_t from, int sites) {
  ledger.begin(step, at(from));
  ledger.target_ready(step, at(from + 10));
  ledger.target_recorded(step, at(from + 13));
  for (int site = 0; site < sites; ++site)
    ledger.sent(step, static_cast<std::size_t>(site), at(from + 15));
}

TEST(DelayLedger, AddsUpToTheWholeStepWhateverTheStamps) {
  std::mt19937_64 random(7);
  std::uniform_int_distribution<std::int64_t> any(-1'000'000'000, 1'000'000'000);
  for (int n = 0; n < 1000; ++n) {
    const auto stamp = [&] {
      return at(any(random));
    };
    DelayLedger::Timestamps stamps{stamp(), stamp(), stamp(), stamp(), stamp(), stamp(),
                                   stamp(), stamp(), stamp(), stamp(), stamp(), stamp()};
    for (const bool in : {true, false}) {
      stamps.in = in;
      EXPECT_EQ(sum(DelayLedger::accounts(stamps)), stamps.used - stamps.begun);
    }
  }
}

TEST(DelayLedger, PutsEachPieceOfTimeIntoItsOwnAccount) {
  // Each stamp later than the one before by its own prime: an account is that prime.
  constexpr std::array<int, kDelayAccounts> kPrimes{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31};
  DelayLedger::Timestamps stamps;
  stamps.in = true;
  TimePoint now = stamps.begun = at(1000);
  std::size_t n = 0;
  for (TimePoint* stamp : {&stamps.ready, &stamps.recorded, &stamps.sent, &stamps.received,
                           &stamps.started, &stamps.driven, &stamps.closed, &stamps.replied,
                           &stamps.answered, &stamps.joined, &stamps.used})
    *stamp = now += Duration{kPrimes[n++]};
  const DelayLedger::Durations accounts = DelayLedger::accounts(stamps);
  for (std::size_t i = 0; i < kDelayAccounts; ++i)
    EXPECT_EQ(accounts[i].count(), kPrimes[i]) << name(static_cast<DelayComponent>(i));
}

TEST(DelayLedger, LeavesAHoldInUplinkWhereATargetIsSaidAgain) {
  DelayLedger ledger({"lab"}, 1);
  begin(ledger, 0, 100, 1);
  ledger.sent(0, 0, at(10'000));
  ledger.answered(0, response(0, {10'020, 10'030, 10'040, 10'050, 10'060}), Duration{}, {},
                  at(10'080));
  ledger.joined(0, at(10'080));
  EXPECT_TRUE(ledger.close(0, at(10'090)));
  const auto longest = [&](DelayComponent account) {
    return ledger.histogram(0, account).max();
  };
  EXPECT_EQ(longest(DelayComponent::kJournal), Duration{3});
  EXPECT_EQ(longest(DelayComponent::kEncode), Duration{2});
  EXPECT_EQ(longest(DelayComponent::kUplink), Duration{10'020 - 115});
}

TEST(DelayLedger, EndsTheAccountsOfAMissedSiteInJoin) {
  DelayLedger::Timestamps stamps;
  stamps.begun = at(100);
  stamps.ready = at(110);
  stamps.recorded = at(112);
  stamps.sent = at(115);
  stamps.joined = at(500);
  stamps.used = at(507);
  const DelayLedger::Durations accounts = DelayLedger::accounts(stamps);
  EXPECT_EQ(of(accounts, DelayComponent::kJoin), nanoseconds(385));
  EXPECT_EQ(of(accounts, DelayComponent::kUplink), nanoseconds(0));
  EXPECT_EQ(sum(accounts), nanoseconds(407));
}

TEST(DelayLedger, RecordsTwelveStampsInSessionTimeAndTheBound) {
  DelayLedger ledger({"west", "east"}, 1);
  const Channels channels = ledger.channels();
  ASSERT_EQ(channels.size(), 26U);
  EXPECT_EQ(channels[0], (Channel{"west.i0_ns", "ns"}));
  EXPECT_EQ(channels[9].name, "west.i3_ns");
  EXPECT_EQ(channels[25].name, "east.clock_bound_ns");
  Rows rows;
  ledger.set_sink(&rows, at(1000));
  begin(ledger, 0, 2000, 2);
  // West's clock is 7 s ahead; one offset shifts all five of its stamps.
  constexpr std::int64_t kAhead = 7'000'000'000;
  ledger.answered(0,
                  response(0, {kAhead + 2030, kAhead + 2040, kAhead + 2050, kAhead + 2060,
                               kAhead + 2070}),
                  Duration{kAhead}, Duration{4}, at(2090));
  ledger.joined(0, at(2200));  // east has not answered: this is its deadline
  EXPECT_TRUE(ledger.close(0, at(2210)));
  ASSERT_EQ(rows.steps, std::vector<std::int64_t>{0});
  const std::vector<double>& row = rows.values[0];
  EXPECT_EQ(std::vector<double>(row.begin(), row.begin() + 13),
            (std::vector<double>{1000, 1010, 1013, 1015, 1030, 1040, 1050, 1060, 1070, 1090,
                                 1200, 1210, 4}));
  for (const std::size_t column : {4U, 5U, 6U, 7U, 8U, 9U, 12U})
    EXPECT_TRUE(std::isnan(row[13 + column])) << column;
  EXPECT_EQ(row[13 + 10], 1200);
  EXPECT_EQ(ledger.clock_bound(0), nanoseconds(4));
  EXPECT_EQ(ledger.clock_bound(1), nanoseconds(0));
}

TEST(DelayLedger, JoinsWhenTheLastAwaitedAnswerIsIn) {
  DelayLedger ledger({"west", "east"}, 1);
  Rows rows;
  ledger.set_sink(&rows, {});
  begin(ledger, 0, 0, 2);
  ledger.answered(0, response(0, {20, 21, 22, 23, 24}), {}, {}, at(30));
  ledger.answered(1, response(0, {20, 21, 22, 33, 34}), {}, {}, at(40));
  ledger.joined(0, at(44));
  ledger.close(0, at(50));
  EXPECT_EQ(rows.values[0][10], 40);
  EXPECT_EQ(rows.values[0][13 + 10], 40);
  EXPECT_EQ(ledger.histogram(0, DelayComponent::kJoin).max(), nanoseconds(10));
  EXPECT_EQ(ledger.histogram(1, DelayComponent::kJoin).max(), nanoseconds(0));
  EXPECT_EQ(ledger.histogram(1, DelayComponent::kCorrect).max(), nanoseconds(10));
}

TEST(DelayLedger, KeepsApartTheStepsThatAreOpenTogether) {
  DelayLedger ledger({"west"}, 2);
  Rows rows;
  ledger.set_sink(&rows, {});
  for (std::int64_t step = 0; step < 7; ++step) {
    begin(ledger, step, 1000 * step, 1);
    if (step == 0) continue;
    const std::int64_t done = step - 1;
    const std::int64_t t = 1000 * step;
    ledger.answered(0, response(done, {t - 900, t - 800, t - 700, t + 20, t + 30}), {}, {},
                    at(t + 40));
    ledger.joined(done, at(t + 50));
    EXPECT_TRUE(ledger.close(done, at(t + 60)));
  }
  ASSERT_EQ(rows.steps, (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5}));
  for (std::size_t n = 0; n < rows.values.size(); ++n) {
    EXPECT_EQ(rows.values[n][0], 1000.0 * static_cast<double>(n)) << n;
    EXPECT_EQ(rows.values[n][11], 1000.0 * static_cast<double>(n) + 1060.0) << n;
  }
  EXPECT_EQ(ledger.whole_steps().max(), nanoseconds(1060));
}

TEST(DelayLedger, TakesNoNoticeOfAnAnswerToAStepThatIsOver) {
  DelayLedger ledger({"west"}, 1);
  Rows rows;
  ledger.set_sink(&rows, {});
  begin(ledger, 0, 0, 1);
  ledger.joined(0, at(100));
  ledger.close(0, at(110));
  begin(ledger, 1, 200, 1);
  ledger.answered(0, response(0, {1, 2, 3, 4, 5}), {}, {}, at(210));
  ledger.joined(1, at(300));
  ledger.close(1, at(310));
  EXPECT_TRUE(std::isnan(rows.values[1][4]));
  EXPECT_EQ(ledger.histogram(0, DelayComponent::kUplink).count(), 0);
}

TEST(DelayLedger, BelievesNoStampsThatAreOutOfOrder) {
  constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();
  for (const std::array<std::int64_t, 5>& stamps :
       {std::array<std::int64_t, 5>{20, 19, 22, 23, 24},
        {20, 21, 22, 23, kEnd},
        {-kEnd, 21, 22, 23, 24},
        {20, 21, 0, 23, 24}}) {
    DelayLedger ledger({"west"}, 1);
    Rows rows;
    ledger.set_sink(&rows, {});
    begin(ledger, 0, 0, 1);
    ledger.answered(0, response(0, stamps), {}, {}, at(30));
    ledger.joined(0, at(31));
    ledger.close(0, at(40));
    EXPECT_TRUE(std::isnan(rows.values[0][4]));
    EXPECT_EQ(rows.values[0][11], 40);
  }
}

TEST(DelayLedger, LeavesWaitingAndActuationOutOfTheExchange) {
  DelayLedger ledger({"west"}, 1);
  begin(ledger, 0, 0, 1);  // sent at 15
  ledger.answered(0, response(0, {115, 315, 318, 618, 622}), {}, {}, at(722));
  ledger.joined(0, at(722));
  ledger.close(0, at(730));
  // Up 100, control 3, reply 4, down 100.
  EXPECT_EQ(ledger.exchange(0).max(), nanoseconds(207));
}

TEST(DelayLedger, SaysWhereARowIsLost) {
  DelayLedger ledger({"west"}, 1);
  Rows rows;
  rows.room = false;
  ledger.set_sink(&rows, {});
  begin(ledger, 0, 0, 1);
  EXPECT_FALSE(ledger.close(0, at(40)));
  EXPECT_TRUE(ledger.close(5, at(40))) << "no such step is open";
}

}  // namespace
}  // namespace trestle::integrator_node::delay_ledger_test
