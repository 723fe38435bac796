#pragma once

#include <Eigen/Core>
#include <cmath>
#include <cstdint>

namespace trestle::checks {

/// Mean and standard deviation of readings, value by value, in one pass: Welford (1962),
/// "Note on a method for calculating corrected sums of squares and products". Readings far
/// from zero lose no digits. add() does not allocate.
class ReadingStatistics {
 public:
  explicit ReadingStatistics(Eigen::Index values)
      : mean_(Eigen::VectorXd::Zero(values)), squares_(mean_) {}

  Eigen::Index values() const noexcept { return mean_.size(); }
  std::int64_t count() const noexcept { return count_; }

  /// Begins a reading; then each of its values is set once.
  void begin_reading() noexcept { ++count_; }
  void set(Eigen::Index i, double value) noexcept {
    const double before = value - mean_[i];
    mean_[i] += before / static_cast<double>(count_);
    squares_[i] += before * (value - mean_[i]);
  }

  double mean(Eigen::Index i) const noexcept { return mean_[i]; }
  /// Of one reading, by n − 1; zero below two readings.
  double deviation(Eigen::Index i) const noexcept {
    return count_ < 2 ? 0.0 : std::sqrt(squares_[i] / static_cast<double>(count_ - 1));
  }

 private:
  std::int64_t count_ = 0;
  Eigen::VectorXd mean_;
  Eigen::VectorXd squares_;  // of the distances from the mean
};

}  // namespace trestle::checks
