#include "adapters/driver/driver_page.h"

#include <gtest/gtest.h>

namespace trestle::driver {
namespace {

TEST(DriverPage, TellsOneChangedBitOfAnAnswer) {
  Answer answer;
  answer.sequence = 7;
  answer.count = 3;
  answer.numbers = {1.0, -2.0, 3.0, 4.0};
  const std::uint64_t digest = digest_of(answer);
  const auto changed = [&](auto change) {
    Answer other = answer;
    change(other);
    return digest_of(other) != digest;
  };
  EXPECT_TRUE(changed([](Answer& other) { other.sequence = 8; }));
  EXPECT_TRUE(changed([](Answer& other) { other.status = 1; }));
  EXPECT_TRUE(changed([](Answer& other) { other.count = 2; }));
  EXPECT_TRUE(changed([](Answer& other) { other.measured_at_ns = 1; }));
  EXPECT_TRUE(changed([](Answer& other) { other.numbers[1] = 2.0; }));
  EXPECT_FALSE(changed([](Answer& other) { other.numbers[3] = 5.0; })) << "not sent";
}

}  // namespace
}  // namespace trestle::driver
