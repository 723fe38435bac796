#include "adapters/driver/driver_page.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cstdio>
#include <span>
#include <stdexcept>

#include "adapters/driver/shared_page.h"

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
  EXPECT_TRUE(changed([](Answer& other) { other.held = 1; }));
  EXPECT_TRUE(changed([](Answer& other) { other.measured_at_ns = 1; }));
  EXPECT_TRUE(changed([](Answer& other) { other.numbers[1] = 2.0; }));
  EXPECT_TRUE(changed([](Answer& other) { other.text[0] = 'x'; }));
  EXPECT_TRUE(changed([](Answer& other) { other.state = 1; }));
  EXPECT_TRUE(changed([](Answer& other) { other.capabilities.real_equipment = 1; }));
  EXPECT_TRUE(changed([](Answer& other) { other.capabilities.max_rate_hz = 1.0; }));
  EXPECT_TRUE(changed([](Answer& other) { other.channel.rotates = 1; }));
  EXPECT_TRUE(changed([](Answer& other) { other.channel.unit[15] = 'm'; }));
  EXPECT_TRUE(changed([](Answer& other) { other.inputs = 1; }));
  EXPECT_TRUE(changed([](Answer& other) { other.outputs = 1; }));
  EXPECT_TRUE(changed([](Answer& other) { other.known = 1; }));
  EXPECT_TRUE(changed([](Answer& other) { other.closed = 1; }));
  EXPECT_FALSE(changed([](Answer& other) { other.numbers[3] = 5.0; })) << "not sent";
  EXPECT_FALSE(changed([](Answer& other) { other.text[1] = 'x'; })) << "behind its end";
}

TEST(DriverPage, OpensAllOutputsOfAWordWithAChangedBit) {
  const std::uint64_t word = outputs_word(5);
  EXPECT_EQ(outputs_of(word), 5U);
  for (int bit = 0; bit < 64; ++bit)
    EXPECT_EQ(outputs_of(word ^ std::uint64_t{1} << bit), 0U) << bit;
  EXPECT_EQ(outputs_of(0), 0U);
}

TEST(DriverPage, TellsOneChangedLetterOfAText) {
  Answer answer;
  std::snprintf(answer.text.data(), answer.text.size(), "the oil is too hot");
  const std::uint64_t digest = digest_of(answer);
  for (const std::size_t at : {0U, 4U, 17U, 18U}) {
    Answer other = answer;
    other.text[at] = 'x';
    EXPECT_NE(digest_of(other), digest) << at;
  }
  answer.text[10] = '\0';
  EXPECT_NE(digest_of(answer), digest);
}

TEST(DriverPage, TellsOneChangedNumberOfAState) {
  const std::array state{1.0, -2.0, 3.0};
  const std::uint64_t digest = digest_of(state);
  for (std::size_t at = 0; at < state.size(); ++at) {
    std::array<double, 3> other = state;
    other[at] = std::bit_cast<double>(std::bit_cast<std::uint64_t>(other[at]) ^ 1);
    EXPECT_NE(digest_of(other), digest) << at;
  }
  EXPECT_NE(digest_of(std::span(state).first(2)), digest);
}

TEST(DriverPage, TellsOneChangedBitOfARequest) {
  Request request{.call = Call::kWrite, .count = 2};
  request.drive = {0.001, -0.002, 0.003};
  const std::uint64_t digest = digest_of(request);
  const auto changed = [&](auto change) {
    Request other = request;
    change(other);
    return digest_of(other) != digest;
  };
  EXPECT_TRUE(changed([](Request& other) { other.call = Call::kEnd; }));
  EXPECT_TRUE(changed([](Request& other) { other.what = 1; }));
  EXPECT_TRUE(changed([](Request& other) { other.index = 1; }));
  EXPECT_TRUE(changed([](Request& other) { other.count = 1; }));
  EXPECT_TRUE(changed([](Request& other) { other.holds = 1; }));
  EXPECT_TRUE(changed([](Request& other) { other.held = 1; }));
  EXPECT_TRUE(changed([](Request& other) { other.knows_held = 1; }));
  EXPECT_TRUE(changed([](Request& other) { other.sequence = 1; }));
  EXPECT_TRUE(changed([](Request& other) { other.protection = 1; }));
  EXPECT_TRUE(changed([](Request& other) { other.state = 1; }));
  EXPECT_TRUE(changed([](Request& other) { other.now_ns = 1; }));
  EXPECT_TRUE(changed([](Request& other) { other.deadline_ns = 1; }));
  EXPECT_TRUE(changed([](Request& other) { other.tick_s = 1e-3; }));
  EXPECT_TRUE(changed([](Request& other) { other.seed = 1; }));
  EXPECT_TRUE(changed([](Request& other) { other.drive[1] = 0.002; }));
  EXPECT_FALSE(changed([](Request& other) { other.drive[2] = 0.0; })) << "not sent";
}

TEST(DriverPage, TellsOneChangedBitOfTheLimits) {
  DriveLimits limits;
  limits.displacement.fill(0.1);
  limits.rate.fill(2.0);
  const std::uint64_t digest = digest_of(limits, 100);
  EXPECT_NE(digest_of(limits, 0), digest);
  limits.rate.back() = 2.1;
  EXPECT_NE(digest_of(limits, 100), digest);
  limits.rate.back() = 2.0;
  limits.displacement.front() = 0.2;
  EXPECT_NE(digest_of(limits, 100), digest);
}

TEST(DriverPage, OfAnotherVersionIsRefusedThoughItHasTheSameSize) {
  SharedPage made;
  EXPECT_EQ(SharedPage(FileDescriptor(dup(made.memory()))).page().magic, kPageMagic);
  made.page().magic = kPageMagic - 1;
  EXPECT_THROW(SharedPage(FileDescriptor(dup(made.memory()))), std::runtime_error);
}

}  // namespace
}  // namespace trestle::driver
