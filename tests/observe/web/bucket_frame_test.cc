#include "observe/web/bucket_frame.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace trestle::web::bucket_frame_test {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The numbers behind the head of a frame.
std::vector<double> values(const std::string& frame) {
  std::vector<double> all((frame.size() - 24) / sizeof(double));
  if (!all.empty()) std::memcpy(all.data(), frame.data() + 24, frame.size() - 24);
  return all;
}

void expect_same(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    EXPECT_TRUE(a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i])))
        << i << ": " << a[i] << ", expected " << b[i];
}

BucketFrame with_rows(std::uint32_t per, Reduce reduce) {
  BucketFrame frame({7, {2, 0}, 100, per, reduce});
  const std::vector<std::vector<double>> rows{
      {9.0, 0.0, 5.0},  // before the first bucket
      {1.0, 0.0, kNone},       {3.0, 0.0, 4.0},  {2.0, 0.0, -kInfinity},
      {kNone, 0.0, kInfinity}, {kNone, 0.0, 8.0}};
  const std::vector<std::int64_t> indices{99, 100, 101, 104, 106, 107};
  for (std::size_t i = 0; i < rows.size(); ++i) frame.add({indices[i], rows[i]});
  return frame;
}

TEST(BucketFrame, HoldsTheSmallestAndTheLargestNumberOfEachChannel) {
  // Of channel 2, then of channel 0: smallest of each bucket, then largest.
  expect_same(
      values(with_rows(2, Reduce::kExtremes).bytes(5)),
      {4.0, kNone, -kInfinity, 8.0,   kNone, 4.0, kNone, -kInfinity, kInfinity, kNone,
       1.0, kNone, 2.0,        kNone, kNone, 3.0, kNone, 2.0,        kNone,     kNone});
}

TEST(BucketFrame, HoldsTheFirstRowOfEachBucketAsItIs) {
  expect_same(values(with_rows(2, Reduce::kFirstRow).bytes(4)),
              {kNone, kNone, -kInfinity, kInfinity, 1.0, kNone, 2.0, kNone});
}

TEST(BucketFrame, HoldsOneNumberARow) {
  expect_same(values(with_rows(1, Reduce::kExtremes).bytes(3)),
              {kNone, 4.0, kNone, 1.0, 3.0, kNone});
}

TEST(BucketFrame, TakesExtentsAsRows) {
  BucketFrame frame({7, {1}, 0, 512, Reduce::kExtremes});
  const auto add = [&frame](std::int64_t first, double low, double high) {
    const std::vector<double> lowest{0.0, low};
    const std::vector<double> highest{0.0, high};
    frame.add(first, lowest, highest, lowest);
  };
  add(0, kNone, kNone);
  add(256, -2.0, 3.0);
  add(512, kNone, kNone);
  add(1024, 1.0, 1.5);
  add(1280, -1.0, 1.0);
  expect_same(values(frame.bytes(3)), {-2.0, kNone, -1.0, 3.0, kNone, 1.5});
}

}  // namespace
}  // namespace trestle::web::bucket_frame_test
