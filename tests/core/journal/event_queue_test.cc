#include "core/journal/event_queue.h"

#include <gtest/gtest.h>

#include <string>

namespace trestle::journal::event_queue_test {
namespace {

using namespace std::chrono_literals;

TEST(EventQueue, GivesEventsBackInOrder) {
  EventQueue queue(2);
  queue.push(TimePoint(1ns), "west", "state", "ARMED");
  queue.push(TimePoint(2ns), "east", "fault", "rate");
  EXPECT_EQ(queue.event(0), (JournalEvent{TimePoint(1ns), "west", "state", "ARMED"}));
  EXPECT_EQ(queue.event(1), (JournalEvent{TimePoint(2ns), "east", "fault", "rate"}));
  queue.pop(2);
  EXPECT_TRUE(queue.push(TimePoint(3ns), "", "", ""));
  EXPECT_EQ(queue.event(0), (JournalEvent{TimePoint(3ns), "", "", ""}));
}

TEST(EventQueue, CountsWhatFindsNoRoom) {
  EventQueue queue(1);
  EXPECT_TRUE(queue.push({}, "west", "state", "ARMED"));
  EXPECT_FALSE(queue.push({}, "west", "state", "RUNNING"));
  EXPECT_EQ(queue.lost(), 1u);
  EXPECT_EQ(queue.event(0).text, "ARMED");
}

TEST(EventQueue, CutsALongTextBetweenTwoCharacters) {
  EventQueue queue(1);
  const std::string almost(EventQueue::kLongestText - 1, 'a');
  queue.push({}, "west", "fault", almost + "δ");  // two bytes, one place
  EXPECT_EQ(queue.event(0).text, almost);
}

}  // namespace
}  // namespace trestle::journal::event_queue_test
