#pragma once

#include <Eigen/Core>
#include <algorithm>

#include "core/lanes/pack.h"
#include "core/math/low_pass_step.h"
#include "core/math/rank_revealing_least_squares.h"
#include "core/math/sliding_gram_limbs.h"

namespace trestle::compensators {

/// Parts of the NARX regression that are templates on the number.
namespace narx {

inline constexpr double kPerMetre = 1e3;  // [mm]
// Unexplained share of a column below which its coefficient is noise of the arithmetic.
inline constexpr double kTolerance = 1e-13;
inline constexpr int kMostTaps = 5;

/// Keeps differences inside the range of fixed point: those of rising order are ever
/// smaller.
inline double difference_scale(int order) noexcept {
  return static_cast<double>(1 << order);
}

/// Binomial coefficient with the sign that it has in the difference of this order.
inline double difference_weight(int order, int tap) noexcept {
  double weight = 1.0;
  for (int i = 0; i < tap; ++i) weight *= -static_cast<double>(order - i) / (i + 1);
  return weight;
}

/// Writes differences of rising order of the first `levels` taps to a row of the
/// regression.
template <typename Real>
void add_differences(const Real* taps, int levels, Real* row) noexcept {
  Real difference[kMostTaps];
  std::copy_n(taps, levels, difference);
  for (int level = 0; level < levels; ++level) {
    row[level] = Real(difference_scale(level)) * difference[0];
    for (int i = 0; i + 1 < levels - level; ++i)
      difference[i] = difference[i] - difference[i + 1];
  }
}

/// Coefficients of `count` taps from those of their differences.
template <typename Real>
void to_taps(const Real* differences, int count, Real* taps) noexcept {
  for (int tap = 0; tap < count; ++tap) {
    Real sum(0.0);
    for (int order = tap; order < count; ++order)
      sum += differences[order] * Real(difference_scale(order)) *
             Real(difference_weight(order, tap));
    taps[tap] = sum;
  }
}

}  // namespace narx

/// One actuator of a NarxCompensator whose terms are motion taps alone, from its first
/// tick: a template on the number, `double` or a pack of one number per lane. The order of
/// all operations is that of the compensator.
template <typename Real>
class NarxStep {
 public:
  using Mask = typename lanes::MaskOf<Real>::Type;
  using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
  using Vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

  math::LowPassStep<Real> measured_filter;
  math::LowPassStep<Real> command_filter;
  Vector coefficients;  // of the taps
  Matrix penalty;       // of the differences [mm²]
  Real power_floor{};   // sum of squares over a window [mm²]
  Real restless{};      // 1: learns on in silence, 0: rests there

  /// All that a copy in another number type needs.
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor& visit) {
    math::LowPassStep<Real>::fields(self.measured_filter, visit);
    math::LowPassStep<Real>::fields(self.command_filter, visit);
    visit(self.coefficients, self.penalty, self.power_floor, self.restless);
  }

  /// Before the first tick. @param window  [ticks]
  void start(int window) {
    taps_ = static_cast<int>(coefficients.size());
    window_.resize(taps_ + 1, window);
    for (Real& tap : measured_) tap = Real(0.0);
    learning_ = Mask{};
    started_ = false;
  }

  /// @returns the command [m | rad] from target, measured displacement and last command
  Real command(Real target, Real measured, Real last_command) noexcept {
    const Real unit(narx::kPerMetre);
    const Real x = unit * target;
    if (started_) {
      Real row[narx::kMostTaps + 1];
      narx::add_differences(measured_, taps_, row);
      row[taps_] = command_filter.advance(unit * last_command);
      window_.add(row);
      learn();
    } else {
      for (Real& tap : target_) tap = x;
    }
    started_ = true;
    push(measured_, measured_filter.advance(unit * measured));
    push(target_, x);
    Real sum(0.0);
    for (int i = 0; i < taps_; ++i) sum += coefficients[i] * target_[i];
    return sum / unit;
  }

  /// Lanes whose numbers are outside the range of its sums: they say nothing.
  Mask left() const noexcept { return window_.left(); }

 private:
  static void push(Real* taps, Real newest) noexcept {
    for (int i = narx::kMostTaps - 1; i > 0; --i) taps[i] = taps[i - 1];
    taps[0] = newest;
  }

  void learn() noexcept {
    using lanes::select;
    if (!window_.full()) return;
    const Mask excited = window_.sum(0, 0) > power_floor;
    learning_ = learning_ | excited;
    const Mask learns = excited | (learning_ & (restless > Real(0.0)));
    if (!any(learns)) return;
    Real A[narx::kMostTaps * narx::kMostTaps];
    Real b[narx::kMostTaps];
    Real learnt[narx::kMostTaps];
    for (int j = 0; j < taps_; ++j) {
      b[j] = window_.sum(taps_, j);
      for (int i = j; i < taps_; ++i) A[j * taps_ + i] = penalty(i, j) + window_.sum(i, j);
    }
    math::solve_rank_deficient(taps_, A, b, narx::kTolerance);
    narx::to_taps(b, taps_, learnt);
    for (int i = 0; i < taps_; ++i)
      coefficients[i] = select(learns, learnt[i], coefficients[i]);
  }

  static bool any(const Mask& mask) noexcept {
    for (int lane = 0; lane < lanes::MaskOf<Real>::kLanes; ++lane)
      if (lanes::is_set(mask, lane)) return true;
    return false;
  }

  Real measured_[narx::kMostTaps]{};  // filtered [mm], the newest first
  Real target_[narx::kMostTaps]{};    // [mm]
  math::SlidingGramLimbs<Real> window_;
  Mask learning_{};
  int taps_ = 0;
  bool started_ = false;
};

}  // namespace trestle::compensators
