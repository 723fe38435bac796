#include "studies/design/keyed_permutation.h"

#include <gtest/gtest.h>

#include <vector>

namespace trestle::design {
namespace {

std::vector<std::uint64_t> whole(std::uint64_t size, std::uint64_t seed,
                                 std::uint64_t channel) {
  const KeyedPermutation permutation(size, seed, 7, channel);
  std::vector<std::uint64_t> order;
  for (std::uint64_t i = 0; i < size; ++i) order.push_back(permutation(i));
  return order;
}

TEST(KeyedPermutation, HasEveryPlaceOnce) {
  for (const std::uint64_t size : {1U, 2U, 3U, 4U, 5U, 16U, 17U, 1000U}) {
    std::vector<int> seen(size, 0);
    for (const std::uint64_t place : whole(size, 1, 0)) ++seen.at(place);
    EXPECT_EQ(seen, std::vector<int>(size, 1)) << size;
  }
}

TEST(KeyedPermutation, IsAnotherForEachKey) {
  EXPECT_EQ(whole(100, 1, 0), whole(100, 1, 0));
  EXPECT_NE(whole(100, 1, 0), whole(100, 2, 0));
  EXPECT_NE(whole(100, 1, 0), whole(100, 1, 1));
}

// Two in three orders of three would do it, if the rounds mixed too little.
TEST(KeyedPermutation, HasAllOrdersAboutEquallyOften) {
  std::vector<int> count(27, 0);
  for (std::uint64_t channel = 0; channel < 6000; ++channel) {
    const auto order = whole(3, 5, channel);
    ++count[order[0] * 9 + order[1] * 3 + order[2]];
  }
  int orders = 0;
  for (const int each : count) {
    if (each == 0) continue;
    ++orders;
    EXPECT_NEAR(each, 1000, 150);  // five standard deviations
  }
  EXPECT_EQ(orders, 6);
}

}  // namespace
}  // namespace trestle::design
