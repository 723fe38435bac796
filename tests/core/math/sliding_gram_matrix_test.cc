#include "core/math/sliding_gram_matrix.h"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <array>
#include <cmath>
#include <deque>
#include <limits>

#include "core/base/random.h"
#include "core/math/rank_revealing_least_squares.h"

namespace trestle::math {
namespace {

double noise(int n) {
  return standard_normal(
      {.seed = 5, .stream = 1, .channel = 0, .index = static_cast<std::uint64_t>(n)});
}

using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using LongVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

/// The x of least squared A x − b, by modified Gram–Schmidt.
LongVector fitted(LongMatrix A, LongVector b) {
  const Eigen::Index n = A.cols();
  LongMatrix R = LongMatrix::Zero(n, n);
  LongVector x(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    R(i, i) = A.col(i).norm();
    A.col(i) /= R(i, i);
    for (Eigen::Index j = i + 1; j < n; ++j) {
      R(i, j) = A.col(i).dot(A.col(j));
      A.col(j) -= R(i, j) * A.col(i);
    }
    x[i] = A.col(i).dot(b);
    b -= x[i] * A.col(i);
  }
  for (Eigen::Index i = n; i-- > 0;) {
    for (Eigen::Index j = i + 1; j < n; ++j) x[i] -= R(i, j) * x[j];
    x[i] /= R(i, i);
  }
  return x;
}

TEST(SlidingGramMatrix, SumsTheRowsOfItsWindowOnly) {
  SlidingGramMatrix gram(2, 3);
  for (int n = 1; n <= 5; ++n) {
    const std::array<double, 2> row{1.0 * n, -0.5};
    gram.add(row.data());
    EXPECT_EQ(gram.rows(), std::min(n, 3));
  }
  EXPECT_TRUE(gram.full());
  EXPECT_EQ(gram.sum(0, 0), 9.0 + 16.0 + 25.0);
  EXPECT_EQ(gram.sum(0, 1), -0.5 * (3.0 + 4.0 + 5.0));
  EXPECT_EQ(gram.sum(1, 0), gram.sum(0, 1));
  EXPECT_EQ(gram.sum(1, 1), 0.75);
}

TEST(SlidingGramMatrix, ForgetsLargeRowsToTheLastBit) {
  SlidingGramMatrix used(2, 64);
  SlidingGramMatrix fresh(2, 64);
  for (int n = 0; n < 1'000'000; ++n) {
    const std::array<double, 2> row{4000.0 * noise(n), 0.01 * noise(n + 1)};
    used.add(row.data());
  }
  for (int n = 0; n < 64; ++n) {
    const std::array<double, 2> row{1e-6 * noise(n), 1e-5 * noise(n + 1)};
    used.add(row.data());
    fresh.add(row.data());
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) EXPECT_EQ(used.sum(i, j), fresh.sum(i, j));
}

TEST(SlidingGramMatrix, HoldsWhatIsOutOfRangeAtItsBound) {
  SlidingGramMatrix gram(1, 4);
  for (const double value :
       {1e300, -std::numeric_limits<double>::infinity(), std::nan(""), 0.0})
    gram.add(&value);
  EXPECT_EQ(gram.sum(0, 0), 3 * 4096.0 * 4096.0);
}

TEST(SlidingGramMatrix, GoesOnFromASnapshotAndFromReset) {
  SlidingGramMatrix gram(2, 7);
  const auto run = [](SlidingGramMatrix& it, int from, int to) {
    for (int n = from; n < to; ++n) {
      const std::array<double, 2> row{noise(n), noise(n + 7)};
      it.add(row.data());
    }
  };
  run(gram, 0, 10);
  const double first = gram.sum(1, 0);
  SnapshotWriter writer;
  gram.save(writer);
  SlidingGramMatrix twin(2, 7);
  SnapshotReader reader(writer.values());
  twin.restore(reader);
  EXPECT_TRUE(reader.at_end());
  EXPECT_EQ(twin.sum(1, 0), first);
  run(gram, 10, 14);
  run(twin, 10, 14);
  EXPECT_EQ(twin.sum(1, 0), gram.sum(1, 0));
  gram.reset();
  run(gram, 0, 10);
  EXPECT_EQ(gram.sum(1, 0), first);
}

/// The fit of five neighbouring samples of a slow motion [mm], as the differences of rising
/// order that these taps have: nearly singular in taps.
constexpr int kWindow = 1024;
constexpr double kTruth[5] = {25.6, -30.0, 8.0, -4.0, 1.3};

double motion(int n) {
  return std::sin(0.014 * n) + 0.6 * std::sin(0.0251 * n + 1.0) +
         0.2 * std::sin(0.03407 * n) + 0.05 * std::sin(0.0021 * n);
}

TEST(WindowedRegression, EqualsARefitInHigherPrecisionAfterAMillionTicks) {
  SlidingGramMatrix gram(6, kWindow);
  using Row = std::array<double, 6>;
  std::deque<Row> window;
  for (int n = 0; n < 1'000'000; ++n) {
    Row row{};
    std::array<double, 5> difference{};
    for (int i = 0; i < 5; ++i) difference[static_cast<std::size_t>(i)] = motion(n - i);
    for (int i = 0; i < 5; ++i) row[5] += kTruth[i] * motion(n - i);
    row[5] += 0.01 * std::sin(1.1 * n);  // what no tap explains
    for (std::size_t level = 0; level < 5; ++level) {
      row[level] = difference[0];
      for (std::size_t i = 0; i + 1 < 5 - level; ++i)
        difference[i] = difference[i] - difference[i + 1];
    }
    for (std::size_t level = 0; level < 5; ++level)
      row[level] *= static_cast<double>(1 << level);  // in the range of fixed point
    gram.add(row.data());
    if (n >= 1'000'000 - kWindow) window.push_back(row);
  }
  NormalMatrix A(5, 5);
  NormalVector b(5);
  for (int i = 0; i < 5; ++i) {
    b[i] = gram.sum(i, 5);
    for (int j = 0; j < 5; ++j) A(i, j) = gram.sum(i, j);
  }
  const NormalVector found = solve_rank_deficient(A, b, 1e-13);

  LongMatrix rows(kWindow, 5);
  LongVector values(kWindow);
  for (Eigen::Index n = 0; n < kWindow; ++n) {
    const Row& row = window[static_cast<std::size_t>(n)];
    for (Eigen::Index i = 0; i < 5; ++i) rows(n, i) = row[static_cast<std::size_t>(i)];
    values[n] = row[5];
  }
  const Eigen::VectorXd expected = fitted(rows, values).cast<double>();
  // Fixed point rounds the fourth difference, some 3e-7 large, to 3e-14; but the lower ones
  // explain it to within some 1e-11.
  for (Eigen::Index i = 0; i < 5; ++i)
    EXPECT_NEAR(found[i], expected[i], 1e-3 * std::abs(expected[i])) << i;
}

}  // namespace
}  // namespace trestle::math
