#pragma once

#include <Eigen/Core>
#include <cmath>

#include "core/lanes/pack.h"

namespace trestle::math {

/// Coefficients and state of a LowPass, and how a tick moves the state on. A template on
/// the number: `double`, or a pack of one number per lane.
template <typename Real>
struct LowPassStep {
  /// Of a section: numerator b0, b1, b2, denominator a1, a2 (a0 = 1), then its state.
  enum Place : int { kB0, kB1, kB2, kA1, kA2, kFirst, kSecond, kNumbers };

  Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic> sections;  // one in each column

  /// @returns the output of this tick
  Real advance(Real input) noexcept {
    const Eigen::Index count = sections.cols();
    Real* it = sections.data();
    for (Eigen::Index section = 0; section < count; ++section, it += kNumbers) {
      const Real output = it[kB0] * input + it[kFirst];
      it[kFirst] = settled(it[kB1] * input - it[kA1] * output + it[kSecond]);
      it[kSecond] = settled(it[kB2] * input - it[kA2] * output);
      input = output;
    }
    return input;
  }

  /// All that a copy in another number type needs.
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit(self.sections);
  }

 private:
  // A memory that fades towards zero stops there: numbers below the normal ones are slow.
  static Real settled(Real state) noexcept {
    using lanes::select;
    using std::abs;
    return select(abs(state) < Real(1e-200), Real(0.0), state);
  }
};

}  // namespace trestle::math
