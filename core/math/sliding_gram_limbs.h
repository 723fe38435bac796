#pragma once

#include <Eigen/Core>
#include <cmath>

#include "core/lanes/pack.h"

namespace trestle::math {

/// The sums of a SlidingGramMatrix for a template on the number: `double`, or a pack of one
/// number per lane. The same numbers in fixed point, in place of 128 bits as three limbs of
/// 26 bits held in floating point, each exact; so is the sum that it returns, to the bit.
///
/// Values reach as far as ± 1024 of their unit, a quarter of the other's range, and the sum
/// of squares to 2²² of its square. A lane beyond that is marked.
template <typename Real>
class SlidingGramLimbs {
 public:
  using Mask = typename lanes::MaskOf<Real>::Type;
  static constexpr int kMaxColumns = 24;

  /// Empties it.
  void resize(int columns, int window) {
    columns_ = columns;
    window_ = window;
    rows_ = next_ = 0;
    ring_.setConstant(columns, window, Real(0.0));
    sums_.setConstant(kLimbs, columns * (columns + 1) / 2, Real(0.0));
    left_ = Mask{};
  }

  /// @param values  `columns` numbers
  void add(const Real* values) noexcept {
    using lanes::exceeds;
    Real fresh[kMaxColumns], fresh_low[kMaxColumns], fresh_high[kMaxColumns];
    Real gone_low[kMaxColumns], gone_high[kMaxColumns];
    // Of zeros while it fills.
    Real* const slot = ring_.data() + static_cast<Eigen::Index>(next_) * columns_;
    for (int i = 0; i < columns_; ++i) {
      fresh[i] = whole(values[i]);
      split(fresh[i], fresh_low[i], fresh_high[i]);
      split(slot[i], gone_low[i], gone_high[i]);
      slot[i] = fresh[i];
    }
    Real* sum = sums_.data();
    for (int i = 0; i < columns_; ++i)
      for (int j = 0; j <= i; ++j, sum += kLimbs) {
        sum[kLow] += fresh_low[i] * fresh_low[j] - gone_low[i] * gone_low[j];
        sum[kMiddle] += (fresh_high[i] * fresh_low[j] + fresh_low[i] * fresh_high[j]) -
                        (gone_high[i] * gone_low[j] + gone_low[i] * gone_high[j]);
        sum[kHigh] += fresh_high[i] * fresh_high[j] - gone_high[i] * gone_high[j];
        carry(sum[kLow], sum[kMiddle], kOfLow);
        carry(sum[kMiddle], sum[kHigh], kOfMiddle);
        left_ = left_ | exceeds(magnitude(sum[kHigh]), Real(kLargestSum));
      }
    if (rows_ < window_) ++rows_;
    next_ = next_ + 1 < window_ ? next_ + 1 : 0;
  }

  int rows() const noexcept { return rows_; }
  bool full() const noexcept { return rows_ == window_; }
  /// Lanes that left its range, or whose values were no numbers.
  Mask left() const noexcept { return left_; }

  /// Σ rᵢ rⱼ over the rows in the window. @pre i >= j
  Real sum(int i, int j) const noexcept {
    const Real* const it = sums_.data() + kLimbs * (i * (i + 1) / 2 + j);
    return (it[kHigh] + (it[kMiddle] + it[kLow])) * Real(1.0 / kPerUnit) *
           Real(1.0 / kPerUnit);
  }

 private:
  enum Limb : int { kLow, kMiddle, kHigh, kLimbs };
  static constexpr double kPerUnit = 0x1p41;
  static constexpr double kLargest = 0x1p51;      // of a value
  static constexpr double kLargestSum = 0x1p104;  // of the high limb
  // To add and subtract one of these rounds to a multiple of 1, 2^26 and 2^52.
  static constexpr double kOfNumber = 0x1.8p52;
  static constexpr double kOfLow = 0x1.8p78;
  static constexpr double kOfMiddle = 0x1.8p104;

  static Real magnitude(Real value) noexcept {
    using std::abs;
    return abs(value);
  }

  /// Rounds away from zero where it lies between two numbers, as SlidingGramMatrix does.
  Real whole(Real value) noexcept {
    using lanes::exceeds;
    using lanes::select;
    const Real scaled = value * Real(kPerUnit);
    const Mask beyond = exceeds(magnitude(scaled), Real(kLargest - 1.0));
    left_ = left_ | beyond;
    const Real bounded = select(beyond, Real(0.0), scaled);
    const Real shifted = bounded + select(bounded < Real(0.0), Real(-0.5), Real(0.5));
    // Towards zero.
    const Real nearest = (shifted + Real(kOfNumber)) - Real(kOfNumber);
    const Real step = select(shifted < Real(0.0), Real(-1.0), Real(1.0));
    return select(magnitude(nearest) > magnitude(shifted), Real(nearest - step), nearest);
  }

  /// The multiple of 2^26 next to it, and the rest.
  static void split(Real value, Real& low, Real& high) noexcept {
    high = (value + Real(kOfLow)) - Real(kOfLow);
    low = value - high;
  }

  static void carry(Real& limb, Real& next, double rounds) noexcept {
    const Real over = (limb + Real(rounds)) - Real(rounds);
    limb -= over;
    next += over;
  }

  int columns_ = 0;
  int window_ = 0;
  int rows_ = 0;
  int next_ = 0;
  Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic> ring_;
  Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic> sums_;
  Mask left_{};
};

}  // namespace trestle::math
