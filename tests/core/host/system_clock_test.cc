#include "core/host/system_clock.h"

#include <gtest/gtest.h>

namespace trestle::host {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(SystemClock, ReadsBothClocksTogether) {
  const auto before = std::chrono::steady_clock::now();
  const ClockInstant instant = read_clocks();
  const auto after = std::chrono::steady_clock::now();
  EXPECT_GE(instant.monotonic, before);
  EXPECT_LE(instant.monotonic, after);
  EXPECT_GE(instant.apart, Duration::zero());
  EXPECT_LE(instant.apart, after - before);
}

TEST(SystemClock, TakesTheKernelsBoundWithWhatItMayMissOfASecond) {
  const auto kept = discipline(KernelClock{true, 1200});
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept.value().bound, microseconds(1200 + 500));
  EXPECT_EQ(bound_at(kept.value(), kept.value().read + seconds(2)),
            microseconds(1200 + 500 + 1000));
}

TEST(SystemClock, DoesNotTrustWhatNobodyKeeps) {
  EXPECT_FALSE(discipline(KernelClock{false, 1200}));
  EXPECT_FALSE(discipline(KernelClock{true, 16'000'000}));
}

TEST(SystemClock, LetsChronysBoundGrowBySkewAndOnePpm) {
  ChronyTracking tracking;
  tracking.reference = "192.0.2.1";
  tracking.bound = microseconds(600);
  tracking.skew = 0.5e-6;
  const auto kept = discipline(tracking);
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept.value().source, "chrony, 192.0.2.1");
  EXPECT_EQ(bound_at(kept.value(), kept.value().read + seconds(10)),
            microseconds(600 + 15));
}

TEST(SystemClock, IsKeptOrSaysWhyNotOnThisHost) {
  const auto kept = read_clock_discipline();
  if (kept) {
    EXPECT_GT(kept.value().bound, Duration::zero());
  } else {
    EXPECT_FALSE(kept.error().detail.empty());
  }
}

TEST(SystemClockComparison, FindsTheOffsetOfTwoMonotonicClocks) {
  // True time 1000 s: ours shows 10 s, theirs 4 s; theirs is read 50 ms later.
  const SystemClockReading here{TimePoint(seconds(10)), TimePoint(seconds(1000)),
                                microseconds(30)};
  const SystemClockReading there{TimePoint(milliseconds(4050)),
                                 TimePoint(milliseconds(1'000'050)), microseconds(70)};
  const SystemClockComparison found = compare_system_clocks(here, there);
  EXPECT_EQ(found.offset, -seconds(6));
  // Both bounds, and 200 ppm of 50 ms.
  EXPECT_EQ(found.bound, microseconds(30 + 70 + 10));
  EXPECT_EQ(compare_system_clocks(there, here).offset, seconds(6));
}

TEST(SystemClockComparison, HoldsItsBoundWhereBothSystemClocksAreWrongByTheirs) {
  for (const int sign : {-1, 1}) {
    const SystemClockReading here{TimePoint(seconds(10)),
                                  TimePoint(seconds(1000) + sign * microseconds(30)),
                                  microseconds(30)};
    const SystemClockReading there{TimePoint(seconds(4)),
                                   TimePoint(seconds(1000) - sign * microseconds(70)),
                                   microseconds(70)};
    const SystemClockComparison found = compare_system_clocks(here, there);
    EXPECT_LE(std::chrono::abs(found.offset + seconds(6)), found.bound);
    EXPECT_GE(std::chrono::abs(found.offset + seconds(6)), microseconds(100));
  }
}

}  // namespace
}  // namespace trestle::host
