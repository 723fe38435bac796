#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <vector>

namespace trestle {

/// Takes the whole state of an object, number by number, in an order that the object's own
/// restore() repeats. Counters up to 2^53 travel as doubles. Not for the step path.
class SnapshotWriter {
 public:
  void add(double value) { values_.push_back(value); }
  template <typename Derived>
  void add(const Eigen::DenseBase<Derived>& matrix) {
    for (Eigen::Index j = 0; j < matrix.cols(); ++j)
      for (Eigen::Index i = 0; i < matrix.rows(); ++i) values_.push_back(matrix(i, j));
  }
  const std::vector<double>& values() const noexcept { return values_; }
  /// Begins anew, with the room that it has.
  void clear() noexcept { values_.clear(); }

 private:
  std::vector<double> values_;
};

/// Gives a snapshot back in the order in which it was taken.
class SnapshotReader {
 public:
  explicit SnapshotReader(std::span<const double> values) : values_(values) {}

  /// @throws std::out_of_range where the snapshot is shorter than the object
  double next() {
    if (at_ >= values_.size()) throw std::out_of_range("snapshot: too short");
    return values_[at_++];
  }
  /// Fills a matrix of the right size already.
  template <typename Derived>
  void fill(Eigen::DenseBase<Derived>& matrix) {
    for (Eigen::Index j = 0; j < matrix.cols(); ++j)
      for (Eigen::Index i = 0; i < matrix.rows(); ++i) matrix(i, j) = next();
  }
  bool at_end() const noexcept { return at_ == values_.size(); }

 private:
  std::span<const double> values_;
  std::size_t at_ = 0;
};

}  // namespace trestle
