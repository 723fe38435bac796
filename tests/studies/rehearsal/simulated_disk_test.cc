#include "studies/rehearsal/simulated_disk.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>

#include "core/timing/virtual_clock.h"
#include "studies/rehearsal/memory_recorder.h"

namespace trestle::rehearsal::memory_store_test {
namespace {

using std::chrono::milliseconds;

const SessionId kSession{1, 2, 3};
const RecordStreams kStreams{{"intent", {{"a", "m"}}}, {"result", {{"b", "N"}}}};

bool push(RowSink& sink, std::int64_t index, double value) {
  return sink.push({index, std::span<const double>(&value, 1)});
}

std::int64_t last(Recorder& record, const std::string& stream) {
  return record.open_session(kSession)->last(stream);
}

TEST(SimulatedDisk, GivesBackWhatAKilledNodePushed) {
  SimulatedDisk store;
  MemoryRecorder before(store);
  const auto sinks = before.open(kSession, {{"node", "west"}}, kStreams);
  EXPECT_TRUE(push(*sinks[0], 0, 1.5));
  before.save_state(0, std::array{7.0, 8.0});
  store.kill();

  MemoryRecorder after(store);
  ASSERT_EQ(after.find_interrupted(), kSession);
  const auto past = after.open_session(kSession);
  EXPECT_EQ(past->fact("node"), "west");
  EXPECT_EQ(past->last("intent"), 0);
  EXPECT_EQ(past->last("result"), RecordedSession::kNone);
  std::vector<double> row;
  ASSERT_TRUE(past->row("intent", 0, row));
  EXPECT_EQ(row, std::vector{1.5});
  EXPECT_FALSE(past->row("intent", 1, row));
  EXPECT_EQ(past->state()->step, 0);
  EXPECT_EQ(past->state()->values, (std::vector{7.0, 8.0}));
}

TEST(SimulatedDisk, ForgetsAtPowerLossWhatWasNotSecured) {
  timing::VirtualClock clock;
  SimulatedDisk store({milliseconds(5), {}}, &clock);
  MemoryRecorder record(store);
  const auto sinks = record.open(kSession, {}, kStreams);
  push(*sinks[0], 0, 1.0);
  record.save_state(0, std::array{1.0});
  const std::uint64_t ticket = record.request_sync();
  EXPECT_FALSE(record.is_durable(ticket));
  clock.advance_to(TimePoint{milliseconds(5)});
  EXPECT_TRUE(record.is_durable(ticket));
  push(*sinks[0], 1, 2.0);
  record.save_state(1, std::array{2.0});
  record.request_sync();
  store.power_loss();

  MemoryRecorder after(store);
  EXPECT_EQ(last(after, "intent"), 0);
  EXPECT_EQ(after.open_session(kSession)->state()->step, 0);
}

TEST(SimulatedDisk, LosesTheLastRowsFirst) {
  timing::VirtualClock clock;
  SimulatedDisk store({}, &clock);
  MemoryRecorder record(store);
  const auto sinks = record.open(kSession, {}, kStreams);
  push(*sinks[0], 0, 1.0);
  push(*sinks[1], 0, 1.0);
  store.power_loss(0.5);
  EXPECT_EQ(last(record, "intent"), 0);
  EXPECT_EQ(last(record, "result"), RecordedSession::kNone);
}

TEST(SimulatedDisk, SyncsByItselfAfterItsPeriod) {
  timing::VirtualClock clock;
  SimulatedDisk store({{}, milliseconds(100)}, &clock);
  MemoryRecorder record(store);
  const auto sinks = record.open(kSession, {}, kStreams);
  clock.advance_to(TimePoint{milliseconds(50)});
  push(*sinks[0], 0, 1.0);
  clock.advance_to(TimePoint{milliseconds(120)});
  push(*sinks[0], 1, 1.0);  // what was told before it goes to the disk now
  store.power_loss();
  EXPECT_EQ(last(record, "intent"), 0);
}

TEST(SimulatedDisk, GoesOnWhereItIsCut) {
  SimulatedDisk store;
  MemoryRecorder before(store);
  const auto sinks = before.open(kSession, {}, kStreams);
  for (int i = 0; i < 4; ++i) push(*sinks[0], i, i);
  push(*sinks[1], 0, 0.0);
  store.kill();

  MemoryRecorder after(store);
  const auto again = after.resume(kSession, kStreams, std::array<std::int64_t, 2>{1, 0});
  EXPECT_EQ(last(after, "intent"), 1);
  EXPECT_TRUE(push(*again[0], 2, 20.0));
  std::vector<double> row;
  ASSERT_TRUE(after.open_session(kSession)->row("intent", 2, row));
  EXPECT_EQ(row, std::vector{20.0});
  after.close();
  EXPECT_FALSE(after.find_interrupted());
  EXPECT_THROW(after.open(kSession, {}, kStreams), std::runtime_error);
}

TEST(SimulatedDisk, FailsWhenTheDiskIsFull) {
  SimulatedDisk store;
  MemoryRecorder record(store);
  const auto sinks = record.open(kSession, {}, kStreams);
  store.disk_full_after(40);
  EXPECT_TRUE(push(*sinks[0], 0, 1.0));
  EXPECT_TRUE(push(*sinks[0], 1, 1.0));
  EXPECT_FALSE(record.failed());
  EXPECT_FALSE(push(*sinks[0], 2, 1.0));
  EXPECT_TRUE(record.failed());
  EXPECT_FALSE(record.error_message().empty());
  EXPECT_FALSE(record.is_durable(record.request_sync()));
  EXPECT_EQ(last(record, "intent"), 1);
}

TEST(SimulatedDisk, HearsNothingFromADeadNode) {
  SimulatedDisk store;
  CallCount calls = 0;
  ProcessLifetime life(calls);
  MemoryRecorder record(store, &life);
  const auto sinks = record.open(kSession, {}, kStreams);
  life.terminate_at_call(calls + 1);
  EXPECT_TRUE(push(*sinks[0], 0, 1.0));
  EXPECT_TRUE(push(*sinks[0], 1, 1.0));
  record.close();
  MemoryRecorder after(store);
  EXPECT_EQ(last(after, "intent"), 0);
  EXPECT_TRUE(after.find_interrupted());
}

}  // namespace
}  // namespace trestle::rehearsal::memory_store_test
