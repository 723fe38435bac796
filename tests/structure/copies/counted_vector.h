#pragma once

#include <utility>

#include "core/types/interface_vector.h"

namespace trestle {

/// An interface vector that counts how often it is copied from another one. In the sources
/// that count_copies.py compiles it takes the place of the displacement of a target and of
/// what a response measured. Only copies of one value are counted, so that the samples of a
/// trajectory do not count.
class CountedVector : public InterfaceVector {
 public:
  using InterfaceVector::InterfaceVector;
  CountedVector() = default;
  CountedVector(const InterfaceVector& values) : InterfaceVector(values) { count(); }
  CountedVector(InterfaceVector&& made) : InterfaceVector(std::as_const(made)) {}
  CountedVector(const CountedVector& other) : InterfaceVector(other) { count(); }
  CountedVector(CountedVector&& other) noexcept : InterfaceVector(other) { count(); }
  ~CountedVector() = default;
  CountedVector& operator=(const CountedVector& other) {
    InterfaceVector::operator=(other);
    count();
    return *this;
  }
  CountedVector& operator=(CountedVector&& other) noexcept {
    InterfaceVector::operator=(other);
    count();
    return *this;
  }
  CountedVector& operator=(const InterfaceVector& values) {
    InterfaceVector::operator=(values);
    count();
    return *this;
  }
  CountedVector& operator=(InterfaceVector&& made) {  // a result, made in place
    InterfaceVector::operator=(std::as_const(made));
    return *this;
  }
  template <typename Expression>
  CountedVector& operator=(const Eigen::MatrixBase<Expression>& values) {
    InterfaceVector::operator=(values);
    return *this;
  }

  /// From now on copies of this value are counted.
  static void watch(double value) noexcept {
    watched_ = value;
    copies_ = 0;
  }
  static int copies() noexcept { return copies_; }

 private:
  void count() const noexcept {
    if (size() > 0 && coeff(0) == watched_) ++copies_;
  }

  static inline double watched_ = 0.0;
  static inline int copies_ = 0;
};

}  // namespace trestle
