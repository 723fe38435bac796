#include "site-servers/node/loop_mailbox.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace trestle::site_node::loop_mailbox_test {
namespace {

LoopCommand hold(std::int64_t first) {
  LoopCommand command;
  command.first = first;
  return command;
}

bool push_step(LoopMailbox& mailbox, std::int64_t number) {
  StepCommand command;
  command.step = number;
  return mailbox.push_step(command, {});
}

/// Negative: a command, by the number that it was given.
std::vector<std::int64_t> arrivals(LoopMailbox& mailbox) {
  std::vector<std::int64_t> found;
  for (;;) {
    const LoopMailbox::Arrival arrival = mailbox.next_arrival();
    if (arrival.command != nullptr) {
      found.push_back(-arrival.command->first);
      mailbox.pop_command();
    } else if (arrival.step) {
      mailbox.queue_step();
      found.push_back(mailbox.front_step()->command.step);
      mailbox.pop_step();
    } else {
      return found;
    }
  }
}

TEST(LoopMailbox, HandsOutCommandsAndStepsInTheOrderInWhichTheyWerePushed) {
  LoopMailbox mailbox;
  EXPECT_TRUE(push_step(mailbox, 1));
  EXPECT_TRUE(mailbox.push_command(hold(2)));
  EXPECT_TRUE(mailbox.push_command(hold(3)));
  EXPECT_TRUE(push_step(mailbox, 4));
  EXPECT_TRUE(push_step(mailbox, 5));
  EXPECT_TRUE(mailbox.push_command(hold(6)));
  EXPECT_EQ(arrivals(mailbox), (std::vector<std::int64_t>{1, -2, -3, 4, 5, -6}));
}

TEST(LoopMailbox, ShowsAKeptStepOnlyWhenItIsPushed) {
  LoopMailbox mailbox;
  StepCommand command;
  EXPECT_TRUE(push_step(mailbox, 1));
  command.step = 2;
  EXPECT_TRUE(mailbox.keep_step(command, {}));
  EXPECT_EQ(arrivals(mailbox), (std::vector<std::int64_t>{1}));
  command.step = 3;
  EXPECT_TRUE(mailbox.keep_step(command, {})) << "in place of 2";
  EXPECT_TRUE(mailbox.push_command(hold(4)));
  EXPECT_EQ(arrivals(mailbox), (std::vector<std::int64_t>{-4}));
  mailbox.push_kept_step();
  EXPECT_TRUE(push_step(mailbox, 5));
  EXPECT_EQ(arrivals(mailbox), (std::vector<std::int64_t>{3, 5}));
}

TEST(LoopMailbox, GivesUpQueuedStepsAndKeepsThoseBehindThem) {
  LoopMailbox mailbox;
  for (int k = 0; k < 4; ++k) push_step(mailbox, k);
  mailbox.queue_step();
  mailbox.queue_step();
  mailbox.clear_steps();
  EXPECT_EQ(mailbox.front_step(), nullptr) << "2 has arrived, and is not queued";
  EXPECT_TRUE(mailbox.next_arrival().step);
  mailbox.queue_step();
  ASSERT_NE(mailbox.front_step(), nullptr);
  EXPECT_EQ(mailbox.front_step()->command.step, 2);
}

TEST(LoopMailbox, DropsAStepBehindOneThatWaits) {
  LoopMailbox mailbox;
  for (int k = 0; k < 4; ++k) push_step(mailbox, k);
  mailbox.drop_step();
  mailbox.queue_step();
  mailbox.drop_step();
  mailbox.queue_step();
  ASSERT_NE(mailbox.front_step(), nullptr);
  EXPECT_EQ(mailbox.front_step()->command.step, 1);
  mailbox.pop_step();
  ASSERT_NE(mailbox.front_step(), nullptr);
  EXPECT_EQ(mailbox.front_step()->command.step, 3);
  mailbox.pop_step();
  EXPECT_EQ(mailbox.front_step(), nullptr);
}

TEST(LoopMailbox, KeepsTheOrderBetweenTwoThreads) {
  constexpr std::int64_t kMessages = 50'000;
  LoopMailbox mailbox;
  std::thread node([&mailbox] {
    for (std::int64_t n = 1; n <= kMessages; ++n)
      while (!(n % 3 == 0 ? mailbox.push_command(hold(n)) : push_step(mailbox, n)))
        std::this_thread::yield();
  });
  std::int64_t last = 0;
  bool in_order = true;
  while (last < kMessages) {
    for (const std::int64_t number : arrivals(mailbox)) {
      in_order = in_order && std::abs(number) == last + 1;
      last = std::abs(number);
    }
    if (!in_order) break;
  }
  EXPECT_TRUE(in_order) << last;
  while (last < kMessages)  // so that the other thread ends
    for (const std::int64_t number : arrivals(mailbox)) last = std::abs(number);
  node.join();
}

}  // namespace
}  // namespace trestle::site_node::loop_mailbox_test
