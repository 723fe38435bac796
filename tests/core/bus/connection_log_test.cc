#include "core/bus/connection_log.h"

#include <gtest/gtest.h>

namespace trestle::bus {
namespace {

using namespace std::chrono_literals;

constexpr ConnectionLog::Steady::time_point kNow{1h};

TEST(ConnectionLog, SaysWhatIsNewAtOnceAndWhatComesAgainByItsNumber) {
  ConnectionLog log;
  EXPECT_TRUE(log.take(kNow).empty());
  log.refuse("eve");
  auto said = log.take(kNow);
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said[0].text, "eve");
  EXPECT_TRUE(said[0].warning);
  for (int n = 0; n < 1000; ++n) log.refuse("eve");
  EXPECT_TRUE(log.take(kNow + 9s).empty());
  said = log.take(kNow + 10s);
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said[0].text, "eve (1000 times)");
  EXPECT_EQ(log.refused(), 1001U);
}

TEST(ConnectionLog, BoundsAFloodOfDifferentSentences) {
  ConnectionLog log;
  for (int n = 0; n < 100'000; ++n) log.refuse("peer " + std::to_string(n));
  const auto said = log.take(kNow);
  EXPECT_EQ(said.size(), 33U);
  EXPECT_NE(said.back().text.find("(99968 times)"), std::string::npos) << said.back().text;
  EXPECT_EQ(log.refused(), 100'000U);
  log.refuse("late");
  EXPECT_NE(log.take(kNow + 10s).at(0).text.find("more than 32"), std::string::npos);
  log.refuse("late");
  EXPECT_EQ(log.take(kNow + 20s).at(0).text, "late") << "what is old makes room";
}

TEST(ConnectionLog, CountsNoRefusalWhereSomebodyComesOrGoes) {
  ConnectionLog log;
  log.tell("lab connected");
  EXPECT_EQ(log.refused(), 0U);
  EXPECT_FALSE(log.take(kNow).at(0).warning);
}

}  // namespace
}  // namespace trestle::bus
