#include "core/journal/state_buffer.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

namespace trestle::journal::state_slots_test {
namespace {

/// Three slots of `values` each, in memory that a second object can look at.
class StateSlotsTest : public ::testing::Test {
 protected:
  static constexpr std::size_t kValues = 40;
  static constexpr std::size_t kBytes = 64 * (1 + 3 * 6);

  alignas(64) std::array<std::byte, kBytes> memory_{};
  StateBuffer slots_{kValues, memory_};

  void put(std::int64_t step) {
    const std::vector<double> values(kValues, static_cast<double>(step));
    slots_.put(static_cast<std::uint64_t>(step) + 1, step, values);
  }
};

TEST_F(StateSlotsTest, GivesTheNewestOnce) {
  ASSERT_EQ(StateBuffer::area_bytes(kValues), kBytes);
  EXPECT_FALSE(slots_.take());
  put(0);
  put(1);
  EXPECT_EQ(slots_.take()->step, 1);
  EXPECT_FALSE(slots_.take());
}

TEST_F(StateSlotsTest, LeavesWhatWasTakenAlone) {
  put(0);
  const auto taken = slots_.take();
  for (std::int64_t step = 1; step < 10; ++step) put(step);
  EXPECT_EQ(taken->step, 0);
  EXPECT_EQ(taken->values[kValues - 1], 0.0);
  EXPECT_EQ(slots_.take()->step, 9);
}

TEST_F(StateSlotsTest, ShowsTheNextLifeTheNewestThatWasWhole) {
  EXPECT_FALSE(StateBuffer(kValues, memory_).newest());
  for (std::int64_t step = 0; step < 7; ++step) {
    put(step);
    if (step % 2 == 0) slots_.take();
    EXPECT_EQ(StateBuffer(kValues, memory_).newest()->step, step);
  }
}

TEST_F(StateSlotsTest, NeverShowsHalfAState) {
  constexpr std::int64_t kSteps = 50000;
  std::thread node([&] {
    for (std::int64_t step = 0; step < kSteps; ++step) put(step);
  });
  std::int64_t last = -1;
  while (last < kSteps - 1)
    if (const auto state = slots_.take()) {
      ASSERT_GT(state->step, last);
      last = state->step;
      for (const double value : state->values)
        ASSERT_EQ(value, static_cast<double>(state->step));
    }
  node.join();
}

}  // namespace
}  // namespace trestle::journal::state_slots_test
