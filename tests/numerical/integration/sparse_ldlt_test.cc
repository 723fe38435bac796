#include "numerical/integration/sparse_ldlt.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <random>

namespace trestle::integration::sparse_ldlt_test {
namespace {

/// A random symmetric pattern with a strong diagonal.
Eigen::SparseMatrix<double> drawn(int size, std::mt19937& random) {
  std::uniform_int_distribution<int> row(0, size - 1);
  std::uniform_real_distribution<double> value(-1.0, 1.0);
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(size, size);
  for (int k = 0; k < 3 * size; ++k) {
    const int i = row(random);
    const int j = row(random);
    dense(i, j) = dense(j, i) = value(random);
  }
  dense.diagonal().array() += 8.0;
  return dense.sparseView();
}

void fill(const Eigen::SparseMatrix<double>& matrix, SparseLdlt& factor) {
  for (int j = 0; j < matrix.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(matrix, j); entry; ++entry)
      factor.values()[static_cast<std::size_t>(
          factor.place(static_cast<int>(entry.row()), j))] = entry.value();
}

// One pattern, several values, one of them indefinite: a dense elimination finds the same.
TEST(SparseLdlt, SolvesAgainWithOtherValues) {
  std::mt19937 random(7);
  for (const int size : {1, 2, 17, 60}) {
    Eigen::SparseMatrix<double> matrix = drawn(size, random);
    SparseLdlt factor(matrix);
    for (const double scale : {1.0, 0.3, -2.0}) {
      const Eigen::SparseMatrix<double> scaled = scale * matrix;
      fill(scaled, factor);
      factor.factor();
      const Eigen::VectorXd load = Eigen::VectorXd::LinSpaced(size, -1.0, 2.0);
      Eigen::VectorXd x = load;
      factor.solve(x);
      const Eigen::VectorXd expected = Eigen::MatrixXd(scaled).fullPivLu().solve(load);
      EXPECT_LT((x - expected).cwiseAbs().maxCoeff(), 1e-13 / std::abs(scale)) << size;
    }
  }
}

TEST(SparseLdlt, ReadsEitherTriangle) {
  std::mt19937 random(8);
  const Eigen::SparseMatrix<double> whole = drawn(20, random);
  const Eigen::SparseMatrix<double> lower = whole.triangularView<Eigen::Lower>();
  SparseLdlt one(whole);
  SparseLdlt other(lower);
  EXPECT_EQ(one.values().size(), other.values().size());
  for (int j = 0; j < 20; ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(whole, j); entry; ++entry)
      EXPECT_EQ(one.place(static_cast<int>(entry.row()), j),
                other.place(j, static_cast<int>(entry.row())));
}

}  // namespace
}  // namespace trestle::integration::sparse_ldlt_test
