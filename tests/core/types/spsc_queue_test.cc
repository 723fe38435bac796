#include "core/base/spsc_queue.h"

#include <gtest/gtest.h>

#include <array>
#include <thread>

namespace trestle {
namespace {

TEST(SpscQueue, GivesBackWhatWasPushedInOrder) {
  SpscQueue<int> ring(3);
  EXPECT_EQ(ring.front(), nullptr);
  for (int round = 0; round < 10; ++round) {
    EXPECT_TRUE(ring.push(2 * round));
    EXPECT_TRUE(ring.push(2 * round + 1));
    ASSERT_NE(ring.front(), nullptr);
    EXPECT_EQ(*ring.front(), 2 * round);
    EXPECT_EQ(*ring.front(), 2 * round) << "still there";
    ring.pop();
    EXPECT_EQ(*ring.front(), 2 * round + 1);
    ring.pop();
    EXPECT_EQ(ring.front(), nullptr);
  }
}

TEST(SpscQueue, RefusesWhatItHasNoRoomFor) {
  SpscQueue<int> ring(2);
  EXPECT_EQ(ring.room(), 2U);
  EXPECT_TRUE(ring.push(1));
  EXPECT_TRUE(ring.push(2));
  EXPECT_EQ(ring.room(), 0U);
  EXPECT_FALSE(ring.push(3));
  EXPECT_EQ(*ring.front(), 1) << "nothing is overwritten";
  ring.pop();
  EXPECT_TRUE(ring.push(3));
  ring.clear();
  EXPECT_EQ(ring.front(), nullptr);
  EXPECT_EQ(ring.room(), 2U);
}

TEST(SpscQueue, HasRoomForOneWhereNoneIsAskedFor) {
  SpscQueue<int> ring(0);
  EXPECT_TRUE(ring.push(7));
  EXPECT_FALSE(ring.push(8));
  EXPECT_EQ(*ring.front(), 7);
}

TEST(SpscQueue, LosesAndTearsNothingBetweenTwoThreads) {
  using Entry = std::array<std::uint64_t, 20>;  // larger than what is written at once
  constexpr std::uint64_t kEntries = 200'000;
  SpscQueue<Entry> ring(7);
  std::thread pusher([&ring] {
    Entry entry;
    for (std::uint64_t n = 0; n < kEntries; ++n) {
      entry.fill(n);
      while (!ring.push(entry)) std::this_thread::yield();
    }
  });
  std::uint64_t wrong = 0;
  for (std::uint64_t n = 0; n < kEntries; ++n) {
    const Entry* entry = ring.front();
    for (; entry == nullptr; entry = ring.front()) std::this_thread::yield();
    for (const std::uint64_t value : *entry) wrong += value != n ? 1U : 0U;
    ring.pop();
  }
  pusher.join();
  EXPECT_EQ(wrong, 0U);
  EXPECT_EQ(ring.front(), nullptr);
}

}  // namespace
}  // namespace trestle
