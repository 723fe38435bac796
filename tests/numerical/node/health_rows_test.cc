// The stream of what sites report: columns, numbers, floods, and a record that goes on.
#include "numerical/node/health_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/types/record_names.h"
#include "tests/numerical/node/run_bench.h"

namespace trestle::integrator_node::health_rows_test {
namespace {

using namespace std::chrono_literals;

/// Sites west and east of one actuator each, in real time by the wall.
struct HealthBench : testing::RunBench {
  HealthBench() : RunBench(wall_settings()) {
    peers[0].agreement.auxiliary = {{"oil", "bar"}, {"estop", "0/1"}};
  }
  static IntegratorSettings wall_settings() {
    IntegratorSettings settings = testing::integrator_settings();
    settings.pace.virtual_clock = false;
    return settings;
  }
  static Health report(std::int64_t cycles = 1) {
    Health health;
    health.state = "RUNNING";
    health.step = 17;
    health.cycles = cycles;
    health.overdue = 250us;
    health.used = {{0.1, 0.2, 0.3, 0.4, 0.5, 0.6}};
    health.mean = {0.011, -1234.5};
    health.deviation = {1e-6, 3.5};
    health.auxiliary = {207.0, 1.0};
    return health;
  }
  std::map<std::int64_t, std::vector<double>>& rows() {
    return recorder.run.streams[stream_name::kHealth];
  }
  const Channels& columns() { return recorder.run.channels[stream_name::kHealth]; }
  double value(std::int64_t row, const std::string& name) {
    for (std::size_t i = 0; i < columns().size(); ++i)
      if (columns()[i].name == name) return rows().at(row).at(i);
    ADD_FAILURE() << "no column " << name;
    return 0.0;
  }
  HealthRows::Verdict hear(std::size_t site, const Health& health, Duration at) {
    return record.heard(site, health, TimePoint{} + at);
  }
  RecordExtent extent() {
    RecordExtent extent;
    const auto past = recorder.open_session(settings.session);
    extent.health->channels = past->channels(stream_name::kHealth);
    extent.health->last = past->last(stream_name::kHealth);
    extent.health->time = rows().rbegin()->second.front();
    return extent;
  }
};

TEST(HealthRows, KeepAllThatASiteReportsUnderItsNames) {
  HealthBench bench;
  bench.record.open(bench.peers);
  EXPECT_EQ(bench.hear(0, HealthBench::report(), 5s), HealthRows::Verdict::kRecorded);
  ASSERT_EQ(bench.rows().size(), 1U);
  EXPECT_EQ(bench.value(1, "time_s"), 0.0);
  EXPECT_EQ(bench.value(1, "west.step"), 17.0);
  EXPECT_EQ(bench.value(1, "west.cycles"), 1.0);
  EXPECT_EQ(bench.value(1, "west.overdue_ns"), 250e3);
  EXPECT_EQ(bench.value(1, "west.1.displacement_used"), 0.1);
  EXPECT_EQ(bench.value(1, "west.1.force_used"), 0.4);
  EXPECT_EQ(bench.value(1, "west.1.energy_error_used"), 0.6);
  EXPECT_EQ(bench.value(1, "west.1.displacement_mean_m"), 0.011);
  EXPECT_EQ(bench.value(1, "west.1.displacement_deviation_m"), 1e-6);
  EXPECT_EQ(bench.value(1, "west.1.force_mean_N"), -1234.5);
  EXPECT_EQ(bench.value(1, "west.1.force_deviation_N"), 3.5);
  EXPECT_EQ(bench.value(1, "west.auxiliary.oil"), 207.0);
  EXPECT_EQ(bench.value(1, "west.auxiliary.estop"), 1.0);
  EXPECT_TRUE(std::isnan(bench.value(1, "east.cycles"))) << "east has said nothing";
  const Channel oil{"west.auxiliary.oil", "bar"};
  EXPECT_EQ(std::count(bench.columns().begin(), bench.columns().end(), oil), 1);
}

TEST(HealthRows, NumberTheHeartbeatsOfAllSites) {
  HealthBench bench;
  bench.record.open(bench.peers);
  bench.hear(0, HealthBench::report(), 1s);
  bench.hear(1, HealthBench::report(7), 1500ms);
  bench.hear(0, Health{}, 2s);  // of an older minor version
  bench.hear(0, HealthBench::report(3), 3s);
  ASSERT_EQ(bench.rows().size(), 3U);
  EXPECT_TRUE(std::isnan(bench.value(2, "west.cycles")));
  EXPECT_EQ(bench.value(2, "east.cycles"), 7.0);
  EXPECT_EQ(bench.value(3, "west.cycles"), 3.0);
  EXPECT_TRUE(std::isnan(bench.value(3, "east.cycles"))) << "of the row before";
  EXPECT_EQ(bench.value(3, "time_s"), 2.0);
}

TEST(HealthRows, RecordNothingOfARunInVirtualTime) {
  IntegratorSettings settings = HealthBench::wall_settings();
  settings.pace.virtual_clock = true;
  testing::RunBench bench(settings);
  bench.record.open(bench.peers);
  bench.record.heard(0, HealthBench::report(), TimePoint{});
  EXPECT_FALSE(bench.recorder.run.channels.contains(stream_name::kHealth));
  EXPECT_FALSE(bench.recorder.run.streams.contains(stream_name::kHealth));
}

TEST(HealthRows, LetNoSiteFillTheRecord) {
  HealthBench bench;
  bench.record.open(bench.peers);
  int refused = 0;
  int told = 0;
  for (int i = 0; i < 10'000; ++i) {  // ten seconds
    const HealthRows::Verdict verdict = bench.hear(0, HealthBench::report(), i * 1ms);
    told += verdict == HealthRows::Verdict::kFirstRefused ? 1 : 0;
    refused += verdict == HealthRows::Verdict::kRefused ? 1 : 0;
  }
  const auto kept = static_cast<int>(bench.rows().size());
  EXPECT_EQ(told, 1);
  EXPECT_EQ(kept + told + refused, 10'000);
  EXPECT_GE(kept, 10 * HealthRows::kPerSecond);
  EXPECT_LE(kept, 11 * HealthRows::kPerSecond);
  // The other site is heard all the same, and the index tells how many were not recorded.
  EXPECT_EQ(bench.hear(1, HealthBench::report(), 10s), HealthRows::Verdict::kRecorded);
  EXPECT_EQ(bench.rows().rbegin()->first, 10'001);
}

TEST(HealthRows, ReadNoReportOfAnotherRig) {
  HealthBench bench;
  bench.record.open(bench.peers);
  Health health = HealthBench::report();
  health.used.resize(2);
  health.mean = {1.0};
  health.auxiliary.push_back(5.0);
  bench.hear(0, health, 1s);
  EXPECT_EQ(bench.value(1, "west.cycles"), 1.0);
  EXPECT_TRUE(std::isnan(bench.value(1, "west.1.force_used")));
  EXPECT_TRUE(std::isnan(bench.value(1, "west.1.displacement_mean_m")));
  EXPECT_TRUE(std::isnan(bench.value(1, "west.auxiliary.oil")));
}

TEST(HealthRows, HaveColumnsOfLoadCells) {
  HealthBench bench;
  Health first = HealthBench::report();
  first.mean.push_back(-55.0);
  first.deviation.push_back(2.0);
  bench.peers[0].words.hear(first, TimePoint{});
  bench.record.open(bench.peers);
  bench.hear(0, first, 1s);
  EXPECT_EQ(bench.value(1, "west.load_cell_1.force_mean_N"), -55.0);
  EXPECT_EQ(bench.value(1, "west.load_cell_1.force_deviation_N"), 2.0);
}

TEST(HealthRows, GoOnBehindTheLastOneOfARecord) {
  HealthBench before;
  before.record.open(before.peers);
  before.hear(0, HealthBench::report(1), 10s);
  before.hear(1, HealthBench::report(2), 14s);
  HealthBench after;
  after.recorder.run = before.recorder.run;
  after.record.reopen(after.peers, after.extent());
  after.hear(0, HealthBench::report(3), 500s);
  after.hear(0, HealthBench::report(4), 501s);
  ASSERT_EQ(after.rows().size(), 4U);
  EXPECT_EQ(after.value(3, "west.cycles"), 3.0);
  EXPECT_EQ(after.value(3, "time_s"), 4.0) << "no time passes while no integrator runs";
  EXPECT_EQ(after.value(4, "time_s"), 5.0);
}

/// What an integrator finds in its record after its restart.
TEST(HealthRows, AreFoundByARecovery) {
  HealthBench before;
  before.begin();
  before.run_step(0);
  before.hear(0, HealthBench::report(1), 10s);
  before.hear(1, HealthBench::report(2), 14s);
  HealthBench after;
  after.recorder.run = before.recorder.run;
  ASSERT_EQ(after.recovery.resume_record(), "");
  after.hear(1, HealthBench::report(3), 1s);
  ASSERT_EQ(after.rows().size(), 3U);
  EXPECT_EQ(after.value(3, "east.cycles"), 3.0);
  EXPECT_EQ(after.value(3, "time_s"), 4.0);
  HealthBench old;
  old.recorder.run = before.recorder.run;
  old.recorder.run.channels.erase(stream_name::kHealth);
  old.recorder.run.streams.erase(stream_name::kHealth);
  ASSERT_EQ(old.recovery.resume_record(), "");
  old.hear(1, HealthBench::report(3), 1s);
  EXPECT_FALSE(old.recorder.run.streams.contains(stream_name::kHealth));
}

/// A rig may have got a transducer more: the record goes on without it.
TEST(HealthRows, KeepTheColumnsOfTheirRecord) {
  HealthBench before;
  before.record.open(before.peers);
  before.hear(0, HealthBench::report(1), 10s);
  const Channels columns = before.columns();
  HealthBench after;
  after.recorder.run = before.recorder.run;
  after.peers[0].agreement.auxiliary = {{"door", "0/1"}, {"estop", "0/1"}, {"oil", "psi"}};
  after.record.reopen(after.peers, after.extent());
  EXPECT_EQ(after.columns(), columns);
  Health health = HealthBench::report(2);
  health.auxiliary = {0.5, 0.25, 3000.0};
  after.hear(0, health, 1s);
  EXPECT_EQ(after.value(2, "west.auxiliary.estop"), 0.25);
  EXPECT_TRUE(std::isnan(after.value(2, "west.auxiliary.oil"))) << "in another unit";
}

TEST(HealthRows, AreNotAddedToARecordWithoutThem) {
  HealthBench before;
  before.record.open(before.peers);
  before.hear(0, HealthBench::report(1), 10s);
  HealthBench after;
  after.recorder.run = before.recorder.run;
  after.recorder.run.channels.erase(stream_name::kHealth);
  after.recorder.run.streams.erase(stream_name::kHealth);
  RecordExtent extent;
  extent.health.reset();
  after.record.reopen(after.peers, extent);
  after.hear(0, HealthBench::report(2), 1s);
  EXPECT_FALSE(after.recorder.run.streams.contains(stream_name::kHealth));
  EXPECT_TRUE(after.record.keeps_ledger());
}

/// A node whose record has the stream as its sixth.
struct NodeBench : testing::IntegratorBench {
  explicit NodeBench(IntegratorSettings settings = HealthBench::wall_settings())
      : IntegratorBench(std::move(settings)) {}
  void beat(int site, std::int64_t cycles) {
    transport.arrives(site, Heartbeat{.session = testing::kSession,
                                      .health = HealthBench::report(cycles)});
  }
  const auto& rows() const { return recorder.sinks.at(5).rows; }
};

TEST(HealthOfANode, IsRecordedFromArmingToTheEnd) {
  NodeBench bench;
  bench.connect();
  bench.beat(0, 1);  // no site is armed yet
  bench.tick();
  for (const int site : {0, 1}) bench.transport.arrives(site, Armed{testing::kSession});
  bench.tick();
  bench.beat(1, 2);
  bench.tick();
  ASSERT_EQ(bench.recorder.opened, 1);
  ASSERT_EQ(bench.recorder.sinks.size(), 6U);
  const std::size_t armed = bench.rows().size();
  ASSERT_GE(armed, 1U);
  EXPECT_EQ(bench.rows().back().first, static_cast<std::int64_t>(armed));
  bench.node.stop("enough");
  bench.finish();
  bench.wait();
  ASSERT_TRUE(bench.node.finished());
  const std::size_t ended = bench.rows().size();
  bench.beat(0, 9);
  bench.tick();
  EXPECT_EQ(bench.rows().size(), ended) << "the record is closed";
}

TEST(HealthOfANode, NamesASiteThatFloodsIt) {
  NodeBench bench;
  bench.arm();
  for (int i = 0; i < 500; ++i) bench.beat(0, i);
  for (int i = 0; i < 20; ++i) bench.tick();
  EXPECT_LE(bench.rows().size(), 25U);
  EXPECT_EQ(std::count(bench.recorder.events.begin(), bench.recorder.events.end(),
                       "heartbeats: west sends more than 20 heartbeats a second; the rest "
                       "is counted and not recorded: hold the test, then look at its site "
                       "server"),
            1);
}

TEST(HealthOfANode, CallsNoSiteBrokenThatAnswersWhatTheTestAsksFor) {
  IntegratorSettings settings = HealthBench::wall_settings();
  settings.heartbeat = 20ms;
  NodeBench bench(settings);
  bench.arm();
  for (int i = 0; i < 500; ++i) bench.beat(0, i);
  for (int i = 0; i < 20; ++i) bench.tick();
  EXPECT_EQ(std::count(bench.recorder.events.begin(), bench.recorder.events.end(),
                       "heartbeats: west sends more than 20 heartbeats a second; the rest "
                       "is counted and not recorded: `deadlines: {heartbeat}` of the test "
                       "asks for as many"),
            1);
}

}  // namespace
}  // namespace trestle::integrator_node::health_rows_test
