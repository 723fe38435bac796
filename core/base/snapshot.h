#pragma once

#include <Eigen/Core>
#include <concepts>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace trestle {

/// Takes the whole state of an object, number by number, in an order that the object's own
/// restore() repeats. Counters up to 2^53 travel as doubles. Not for the step path.
///
/// A class names what it keeps once, in a function template that both directions call:
///
///     template <typename Self, typename Archive>
///     void Filter::visit(Self& self, Archive& archive) {
///       archive(self.started_, self.state_, self.taps_);
///     }
///     void Filter::save(SnapshotWriter& snapshot) const { visit(*this, snapshot); }
///     void Filter::restore(SnapshotReader& snapshot) { visit(*this, snapshot); }
class SnapshotWriter {
 public:
  /// Numbers, truth values and enumerators, matrices, objects that save themselves, and
  /// ranges of all of these.
  template <typename... Values>
  void operator()(const Values&... values) {
    (put(values), ...);
  }
  void add(double value) { values_.push_back(value); }
  template <typename Derived>
  void add(const Eigen::DenseBase<Derived>& matrix) {
    for (Eigen::Index j = 0; j < matrix.cols(); ++j)
      for (Eigen::Index i = 0; i < matrix.rows(); ++i) values_.push_back(matrix(i, j));
  }
  const std::vector<double>& values() const noexcept { return values_; }
  /// Removes all values and keeps the capacity.
  void clear() noexcept { values_.clear(); }

 private:
  template <typename Value>
  void put(const Value& value) {
    if constexpr (std::is_arithmetic_v<Value> || std::is_enum_v<Value>) {
      add(static_cast<double>(value));
    } else if constexpr (std::derived_from<Value, Eigen::DenseBase<Value>>) {
      add(value);
    } else if constexpr (requires { value.save(*this); }) {
      value.save(*this);
    } else {
      for (const auto& each : value) put(each);
    }
  }

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
  /// As SnapshotWriter, into objects that have their sizes already.
  /// @throws std::out_of_range as next()
  template <typename... Values>
  void operator()(Values&... values) {
    (take(values), ...);
  }
  bool at_end() const noexcept { return at_ == values_.size(); }

 private:
  template <typename Value>
  void take(Value& value) {
    if constexpr (std::same_as<Value, bool>) {
      value = next() != 0.0;
    } else if constexpr (std::is_enum_v<Value>) {
      value = static_cast<Value>(static_cast<std::underlying_type_t<Value>>(next()));
    } else if constexpr (std::is_arithmetic_v<Value>) {
      value = static_cast<Value>(next());
    } else if constexpr (std::derived_from<Value, Eigen::DenseBase<Value>>) {
      fill(value);
    } else if constexpr (requires { value.restore(*this); }) {
      value.restore(*this);
    } else {
      for (auto& each : value) take(each);
    }
  }

  std::span<const double> values_;
  std::size_t at_ = 0;
};

}  // namespace trestle
