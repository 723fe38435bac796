#include "core/bus/connection_count.h"

#include <gtest/gtest.h>

namespace trestle::bus {
namespace {

TEST(ConnectionCount, TakesSoManyOfOneAddressAndOfAll) {
  ConnectionCount count({.all = 5, .of_one = 3});
  for (const int connection : {10, 11, 12})
    EXPECT_EQ(count.admit(connection, "10.0.0.1"), "");
  EXPECT_EQ(count.admit(13, "10.0.0.1"),
            "it has 3 connections already, as many as one address may have");
  EXPECT_EQ(count.admit(14, "10.0.0.2"), "");
  EXPECT_EQ(count.admit(15, "10.0.0.3"), "");
  EXPECT_EQ(count.admit(16, "10.0.0.4"),
            "there are 5 connections already, as many as this end keeps");
  EXPECT_TRUE(count.gone(13)) << "it was sent away";
  EXPECT_TRUE(count.gone(16));
  EXPECT_FALSE(count.gone(10));
  EXPECT_EQ(count.admit(13, "10.0.0.1"), "") << "one of its own has left";
  EXPECT_FALSE(count.gone(13));
}

TEST(ConnectionCount, CountsADescriptorThatIsGivenOutAgainOnce) {
  ConnectionCount count({.all = 2, .of_one = 2});
  for (int n = 0; n < 10; ++n) EXPECT_EQ(count.admit(7, "10.0.0.1"), "");
  EXPECT_EQ(count.admit(8, "10.0.0.1"), "");
  EXPECT_NE(count.admit(9, "10.0.0.1"), "");
  EXPECT_FALSE(count.gone(99)) << "nobody's";
}

TEST(ConnectionCount, LeavesDescriptorsForEverythingElse) {
  EXPECT_EQ(connection_limits(8192).all, 256U);
  EXPECT_EQ(connection_limits(8192).of_one, 64U);
  EXPECT_EQ(connection_limits(128).all, 64U);
  EXPECT_EQ(connection_limits(128).of_one, 32U);
  EXPECT_EQ(connection_limits(10).all, 8U);
  EXPECT_EQ(connection_limits(0).of_one, 4U);
}

}  // namespace
}  // namespace trestle::bus
