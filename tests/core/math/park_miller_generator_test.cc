#include "core/math/park_miller_generator.h"

#include <gtest/gtest.h>

#include <cmath>

namespace trestle::math {
namespace {

TEST(ParkMillerGenerator, GivesThePublishedSequenceOfItsSeed) {
  ParkMillerGenerator sequence(123);
  // As printed with the published benchmark's noise, to about eight digits.
  for (const double published :
       {-0.705993493, -0.620653603, -0.716390372, -1.48770622, -0.238014317})
    EXPECT_NEAR(sequence.next(), published, 1e-8);
}

TEST(ParkMillerGenerator, IsGaussian) {
  constexpr int kDraws = 200000;
  ParkMillerGenerator sequence(77);
  double sum = 0.0;
  double squares = 0.0;
  double fourth = 0.0;
  for (int n = 0; n < kDraws; ++n) {
    const double value = sequence.next();
    sum += value;
    squares += value * value;
    fourth += std::pow(value, 4);
  }
  // Four standard errors: 1, sqrt(2) and sqrt(96) over sqrt(count).
  const double error = 4.0 / std::sqrt(kDraws);
  EXPECT_NEAR(sum / kDraws, 0.0, error);
  EXPECT_NEAR(squares / kDraws, 1.0, std::sqrt(2.0) * error);
  EXPECT_NEAR(fourth / kDraws, 3.0, std::sqrt(96.0) * error);
}

TEST(ParkMillerGenerator, EverySeedHasASequence) {
  for (const std::uint32_t seed : {0U, 1U, 0x8000U, 0xffffU, 0x7fffffffU, 0xffffffffU}) {
    ParkMillerGenerator sequence(seed);
    const double first = sequence.next();
    EXPECT_TRUE(std::isfinite(first)) << seed;
    EXPECT_NE(sequence.next(), first) << seed;
  }
}

TEST(ParkMillerGenerator, GoesOnFromASnapshot) {
  ParkMillerGenerator original(123);
  for (int n = 0; n < 10; ++n) original.next();
  SnapshotWriter writer;
  original.save(writer);
  ParkMillerGenerator copy(5);
  SnapshotReader reader(writer.values());
  copy.restore(reader);
  EXPECT_TRUE(reader.at_end());
  for (int n = 0; n < 10; ++n) EXPECT_EQ(original.next(), copy.next());
}

}  // namespace
}  // namespace trestle::math
