#include "studies/rehearsal/memory_store.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>

#include "core/timing/virtual_clock.h"
#include "studies/rehearsal/memory_record.h"

namespace trestle::memory_store_test {
namespace {

using std::chrono::milliseconds;

const SessionId kSession{1, 2, 3};
const Recorder::Streams kStreams{{"intent", {{"a", "m"}}}, {"result", {{"b", "N"}}}};

bool push(StepSink& sink, std::int64_t index, double value) {
  return sink.push({index, std::span<const double>(&value, 1)});
}

std::int64_t last(Recorder& record, const std::string& stream) {
  return record.recall(kSession)->last(stream);
}

TEST(MemoryStore, GivesBackWhatAKilledNodePushed) {
  MemoryStore store;
  MemoryRecord before(store);
  const auto sinks = before.open(kSession, {{"node", "west"}}, kStreams);
  EXPECT_TRUE(push(*sinks[0], 0, 1.5));
  before.keep_state(0, std::array{7.0, 8.0});
  store.kill();

  MemoryRecord after(store);
  ASSERT_EQ(after.unfinished(), kSession);
  const auto past = after.recall(kSession);
  EXPECT_EQ(past->fact("node"), "west");
  EXPECT_EQ(past->last("intent"), 0);
  EXPECT_EQ(past->last("result"), Recollection::kNone);
  std::vector<double> row;
  ASSERT_TRUE(past->row("intent", 0, row));
  EXPECT_EQ(row, std::vector{1.5});
  EXPECT_FALSE(past->row("intent", 1, row));
  EXPECT_EQ(past->state()->step, 0);
  EXPECT_EQ(past->state()->values, (std::vector{7.0, 8.0}));
}

TEST(MemoryStore, ForgetsAtPowerLossWhatWasNotSecured) {
  VirtualClock clock;
  MemoryStore store({milliseconds(5), {}}, &clock);
  MemoryRecord record(store);
  const auto sinks = record.open(kSession, {}, kStreams);
  push(*sinks[0], 0, 1.0);
  record.keep_state(0, std::array{1.0});
  const std::uint64_t ticket = record.secure();
  EXPECT_FALSE(record.secured(ticket));
  clock.pass(TimePoint{milliseconds(5)});
  EXPECT_TRUE(record.secured(ticket));
  push(*sinks[0], 1, 2.0);
  record.keep_state(1, std::array{2.0});
  record.secure();
  store.power_loss();

  MemoryRecord after(store);
  EXPECT_EQ(last(after, "intent"), 0);
  EXPECT_EQ(after.recall(kSession)->state()->step, 0);
}

TEST(MemoryStore, LosesTheLastRowsFirst) {
  VirtualClock clock;
  MemoryStore store({}, &clock);
  MemoryRecord record(store);
  const auto sinks = record.open(kSession, {}, kStreams);
  push(*sinks[0], 0, 1.0);
  push(*sinks[1], 0, 1.0);
  store.power_loss(0.5);
  EXPECT_EQ(last(record, "intent"), 0);
  EXPECT_EQ(last(record, "result"), Recollection::kNone);
}

TEST(MemoryStore, SyncsByItselfAfterItsPeriod) {
  VirtualClock clock;
  MemoryStore store({{}, milliseconds(100)}, &clock);
  MemoryRecord record(store);
  const auto sinks = record.open(kSession, {}, kStreams);
  clock.pass(TimePoint{milliseconds(50)});
  push(*sinks[0], 0, 1.0);
  clock.pass(TimePoint{milliseconds(120)});
  push(*sinks[0], 1, 1.0);  // what was told before it goes to the disk now
  store.power_loss();
  EXPECT_EQ(last(record, "intent"), 0);
}

TEST(MemoryStore, GoesOnWhereItIsCut) {
  MemoryStore store;
  MemoryRecord before(store);
  const auto sinks = before.open(kSession, {}, kStreams);
  for (int i = 0; i < 4; ++i) push(*sinks[0], i, i);
  push(*sinks[1], 0, 0.0);
  store.kill();

  MemoryRecord after(store);
  const auto again = after.reopen(kSession, kStreams, std::array<std::int64_t, 2>{1, 0});
  EXPECT_EQ(last(after, "intent"), 1);
  EXPECT_TRUE(push(*again[0], 2, 20.0));
  std::vector<double> row;
  ASSERT_TRUE(after.recall(kSession)->row("intent", 2, row));
  EXPECT_EQ(row, std::vector{20.0});
  after.close();
  EXPECT_FALSE(after.unfinished());
  EXPECT_THROW(after.open(kSession, {}, kStreams), std::runtime_error);
}

TEST(MemoryStore, FailsWhenTheDiskIsFull) {
  MemoryStore store;
  MemoryRecord record(store);
  const auto sinks = record.open(kSession, {}, kStreams);
  store.disk_full_after(40);
  EXPECT_TRUE(push(*sinks[0], 0, 1.0));
  EXPECT_TRUE(push(*sinks[0], 1, 1.0));
  EXPECT_FALSE(record.failed());
  EXPECT_FALSE(push(*sinks[0], 2, 1.0));
  EXPECT_TRUE(record.failed());
  EXPECT_FALSE(record.failure().empty());
  EXPECT_FALSE(record.secured(record.secure()));
  EXPECT_EQ(last(record, "intent"), 1);
}

TEST(MemoryStore, HearsNothingFromADeadNode) {
  MemoryStore store;
  CallCount calls = 0;
  Lifeline life(calls);
  MemoryRecord record(store, &life);
  const auto sinks = record.open(kSession, {}, kStreams);
  life.end_at(calls + 1);
  EXPECT_TRUE(push(*sinks[0], 0, 1.0));
  EXPECT_TRUE(push(*sinks[0], 1, 1.0));
  record.close();
  MemoryRecord after(store);
  EXPECT_EQ(last(after, "intent"), 0);
  EXPECT_TRUE(after.unfinished());
}

}  // namespace
}  // namespace trestle::memory_store_test
