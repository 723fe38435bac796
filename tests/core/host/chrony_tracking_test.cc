#include "core/host/chrony_tracking.h"

#include <gtest/gtest.h>

namespace trestle::host {
namespace {

// Columns as chrony 4 prints them.
const std::string kGood =
    "C0000201,192.0.2.1,3,1766000000.123456789,-0.000012500,0.000004,0.000031,"
    "-14.253,0.002,0.040,0.000820000,0.000190000,64.4,Normal\n";

std::string with(const std::string& from, const std::string& to) {
  std::string line = kGood;
  return line.replace(line.find(from), from.size(), to);
}

TEST(ChronyTracking, AddsUpTheBoundThatChronyDefines) {
  const auto tracking = parse_chrony_tracking(kGood);
  ASSERT_TRUE(tracking);
  // |system time| 12.5 us + dispersion 190 us + delay 820 us / 2, and at most a rounding.
  EXPECT_NEAR(static_cast<double>(tracking.value().bound.count()), 612'500.0, 1.0);
  EXPECT_EQ(tracking.value().reference, "192.0.2.1");
  EXPECT_EQ(tracking.value().stratum, 3);
  EXPECT_NEAR(tracking.value().skew, 0.040e-6, 1e-15);
}

TEST(ChronyTracking, TakesNoCreditForANegativeRootDelay) {
  const auto tracking = parse_chrony_tracking(with("0.000820000", "-0.000820000"));
  ASSERT_TRUE(tracking);
  EXPECT_NEAR(static_cast<double>(tracking.value().bound.count()), 202'500.0, 1.0);
}

TEST(ChronyTracking, DoesNotTrustAClockThatIsNotSynchronised) {
  for (const auto& line : {with("Normal", "Not synchronised"), with(",3,", ",0,"),
                           with("0.000190000", "20.0")}) {
    const auto tracking = parse_chrony_tracking(line);
    ASSERT_FALSE(tracking) << line;
    EXPECT_EQ(tracking.error().code, ErrorCode::kUnavailable);
  }
}

TEST(ChronyTracking, RefusesWhatIsNoSuchLine) {
  for (const auto& line :
       {std::string(), std::string("506 Cannot talk to daemon"), with("0.000190000", "nan"),
        with("0.000190000", "-0.1"), with("0.000190000", "0.1x"), with("0.000820000", ""),
        with(",64.4,Normal", "")}) {
    const auto tracking = parse_chrony_tracking(line);
    ASSERT_FALSE(tracking) << line;
    EXPECT_EQ(tracking.error().code, ErrorCode::kMalformed);
  }
}

TEST(ChronyTracking, IsAWholeAnswerOrAReasonOnThisHost) {
  const auto tracking = query_chrony();
  if (!tracking) {
    EXPECT_FALSE(tracking.error().detail.empty());
  }
}

}  // namespace
}  // namespace trestle::host
