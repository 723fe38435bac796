#include "core/journal/row_queue.h"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>
#include <vector>

#include "core/journal/row_layout.h"

namespace trestle::journal::row_ring_test {
namespace {

struct Row {
  std::int64_t index;
  double value;
  bool operator==(const Row&) const = default;
};

bool push(RowQueue& ring, std::int64_t index, double value) {
  return ring.push({index, std::span<const double>(&value, 1)});
}

std::vector<Row> take_all(RowQueue& ring) {
  std::vector<Row> taken;
  for (const std::span<const std::byte> piece : ring.rows())
    for (std::size_t at = 0; at < piece.size(); at += ring.row_bytes()) {
      Row row{};
      std::memcpy(&row, piece.data() + at, sizeof row);
      taken.push_back(row);
    }
  ring.pop(taken.size());
  return taken;
}

TEST(RowQueue, GivesRowsBackInOrderAcrossItsEnd) {
  RowQueue ring(1, 3);
  push(ring, 0, 0.0);
  push(ring, 1, 0.1);
  EXPECT_EQ(take_all(ring), (std::vector<Row>{{0, 0.0}, {1, 0.1}}));
  push(ring, 2, 0.2);
  push(ring, 3, 0.3);
  push(ring, 4, 0.4);
  EXPECT_EQ(ring.size(), 3u);
  EXPECT_EQ(ring.rows()[0].size(), ring.row_bytes());  // 2; then 3 and 4 from its beginning
  EXPECT_EQ(take_all(ring), (std::vector<Row>{{2, 0.2}, {3, 0.3}, {4, 0.4}}));
  EXPECT_EQ(ring.size(), 0u);
}

TEST(RowQueue, CountsWhatFindsNoRoomAndKeepsTheOlder) {
  RowQueue ring(1, 2);
  EXPECT_TRUE(push(ring, 0, 0.0));
  EXPECT_TRUE(push(ring, 1, 0.1));
  EXPECT_FALSE(push(ring, 2, 0.2));
  EXPECT_FALSE(push(ring, 3, 0.3));
  EXPECT_EQ(ring.lost(), 2u);
  EXPECT_EQ(take_all(ring), (std::vector<Row>{{0, 0.0}, {1, 0.1}}));
  EXPECT_TRUE(push(ring, 4, 0.4));
}

TEST(RowQueue, SaysNoAfterItWasAbandonedButStillTakesRows) {
  RowQueue ring(1, 2);
  ring.mark_failed();
  EXPECT_FALSE(push(ring, 7, 0.7));
  EXPECT_EQ(ring.lost(), 0u);
  EXPECT_EQ(take_all(ring), (std::vector<Row>{{7, 0.7}}));
}

TEST(RowQueue, CarriesRowsWithoutChannels) {
  RowQueue ring(0, 2);
  EXPECT_TRUE(ring.push({42, {}}));
  EXPECT_EQ(row_index(ring.rows()[0]), 42);
}

TEST(RowQueue, LosesNothingBetweenTwoThreads) {
  RowQueue ring(1, 16);
  constexpr std::int64_t kRows = 20000;
  std::thread pushing([&ring] {
    for (std::int64_t index = 0; index < kRows;)
      if (push(ring, index, 0.5 * static_cast<double>(index)))
        ++index;
      else
        std::this_thread::yield();
  });
  std::vector<Row> taken;
  while (taken.size() < kRows) {
    const std::vector<Row> more = take_all(ring);
    taken.insert(taken.end(), more.begin(), more.end());
    if (more.empty()) std::this_thread::yield();
  }
  pushing.join();
  for (std::int64_t index = 0; index < kRows; ++index)
    ASSERT_EQ(taken[static_cast<std::size_t>(index)],
              (Row{index, 0.5 * static_cast<double>(index)}));
}

}  // namespace
}  // namespace trestle::journal::row_ring_test
