#include <gtest/gtest.h>

#include <vector>

#include "core/journal/event_queue.h"
#include "core/journal/journal_writer.h"
#include "core/journal/row_queue.h"
#include "tests/core/journal/temporary_folder.h"
#include "tests/support/heap_counter.h"

namespace trestle::journal {
namespace {

TEST(RowQueue, PushLeavesTheHeapAlone) {
  RowQueue ring(60, 50);  // the second half finds no room
  const std::vector<double> values(60, 1.0);
  RowSink& sink = ring;
  const std::size_t before = testing::heap_allocations();
  for (std::int64_t index = 0; index < 100; ++index) sink.push({index, values});
  EXPECT_EQ(testing::heap_allocations(), before);
  EXPECT_EQ(ring.lost(), 50u);
}

TEST(EventQueue, PushLeavesTheHeapAlone) {
  EventQueue queue(5);
  const std::string text(2000, 'x');
  const std::size_t before = testing::heap_allocations();
  for (int i = 0; i < 10; ++i) queue.push({}, "west", "fault", text);
  EXPECT_EQ(testing::heap_allocations(), before);
}

// No thread writes meanwhile, so that every allocation is the node's.
TEST(JournalWriter, LeavesTheHeapAloneAfterTheFirstState) {
  const testing::TemporaryFolder folder;
  JournalSettings settings;
  settings.path = folder.file("journal.db");
  JournalWriter writer(settings);
  RowSink& sink = writer.add_stream("result", {{"a_m", "m"}});
  const std::vector<double> state(500, 1.0);
  writer.save_state(0, state);
  const std::size_t before = testing::heap_allocations();
  for (std::int64_t step = 1; step < 1000; ++step) {
    sink.push({step, std::span<const double>(state).first(1)});
    writer.save_state(step, state);
    writer.is_durable(writer.request_sync());
  }
  EXPECT_EQ(testing::heap_allocations(), before);
}

}  // namespace
}  // namespace trestle::journal
