#include "studies/cluster/hand_out.h"

#include <gtest/gtest.h>

namespace trestle::cluster {
namespace {

using namespace std::chrono_literals;
using Runs = std::vector<std::int64_t>;

const HandOut::Time kStart{};

TEST(HandOut, GivesEachRunToOneRankInTheirOrder) {
  HandOut hand_out(3, 60s, kStart);
  hand_out.add({1, 2, 3, 5});
  EXPECT_EQ(hand_out.next(1, 2, kStart), (Runs{1, 2}));
  EXPECT_EQ(hand_out.next(0, 1, kStart), Runs{3});
  EXPECT_EQ(hand_out.left(), 1u);
  EXPECT_EQ(hand_out.next(2, 9, kStart), Runs{5});
  EXPECT_EQ(hand_out.next(1, 9, kStart), Runs{});
  for (const std::int64_t run : {5, 1, 3}) hand_out.done(1, run, kStart);
  EXPECT_FALSE(hand_out.all_done());
  hand_out.done(1, 2, kStart);
  EXPECT_TRUE(hand_out.all_done());
}

TEST(HandOut, GivesTheRunsOfASilentRankToOthers) {
  HandOut hand_out(3, 60s, kStart);
  hand_out.expect(7s);
  hand_out.add({1, 2, 3});
  hand_out.next(1, 2, kStart);
  hand_out.next(2, 1, kStart);
  hand_out.heard(2, kStart + 50s);
  EXPECT_TRUE(hand_out.give_up(kStart + 60s).empty());
  EXPECT_EQ(hand_out.give_up(kStart + 61s), std::vector<int>{1});
  EXPECT_TRUE(hand_out.give_up(kStart + 62s).empty());  // once
  EXPECT_EQ(hand_out.next(2, 9, kStart + 62s), (Runs{1, 2}));
  // It was not dead, and has a result: the run need not be waited for elsewhere.
  hand_out.heard(1, kStart + 63s);
  hand_out.done(1, 1, kStart + 63s);
  hand_out.done(2, 2, kStart + 64s);
  hand_out.done(2, 3, kStart + 64s);
  EXPECT_TRUE(hand_out.all_done());
  hand_out.done(2, 1, kStart + 65s);  // again
  EXPECT_TRUE(hand_out.all_done());
}

TEST(HandOut, GivesUpARankThatLivesButEndsNoRun) {
  HandOut hand_out(2, 60s, kStart);
  hand_out.add({1, 2});
  hand_out.next(1, 2, kStart);
  hand_out.done(1, 1, kStart + 20s);
  hand_out.heard(1, kStart + 220s);
  EXPECT_TRUE(hand_out.give_up(kStart + 220s).empty());  // ten times 20 s have not passed
  EXPECT_EQ(hand_out.give_up(kStart + 221s), std::vector<int>{1});
  EXPECT_EQ(hand_out.next(0, 9, kStart + 221s), Runs{2});
}

TEST(HandOut, GivesAllRanksNewTimeWhereRankZeroItselfStoodStill) {
  HandOut hand_out(2, 60s, kStart);
  hand_out.add({1});
  hand_out.next(1, 1, kStart);
  hand_out.forgive(kStart + 1h);
  EXPECT_TRUE(hand_out.give_up(kStart + 1h + 60s).empty());
  EXPECT_EQ(hand_out.give_up(kStart + 1h + 61s), std::vector<int>{1});
}

TEST(HandOut, NeverGivesUpTheRankThatAsks) {
  HandOut hand_out(1, 60s, kStart);
  hand_out.add({1});
  hand_out.next(0, 1, kStart);
  EXPECT_TRUE(hand_out.give_up(kStart + 1h).empty());
  EXPECT_FALSE(hand_out.all_done());
}

}  // namespace
}  // namespace trestle::cluster
