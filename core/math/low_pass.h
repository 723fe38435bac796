#pragma once

#include "core/base/snapshot.h"
#include "core/math/low_pass_step.h"

namespace trestle::math {

/// Digital Butterworth low-pass of one signal, tick by tick, with a gain of one at rest.
///
/// The analogue prototype under the bilinear transform, prewarped so that the corner stands
/// where it should (Oppenheim and Schafer, Discrete-Time Signal Processing, ch. 7). It runs
/// as sections of second order in transposed direct form II: the poles of one polynomial of
/// order five at 6 Hz and 1024 Hz would be lost in the rounding of its coefficients, those
/// of sections are not.
///
/// A filter without order passes the signal as it is.
class LowPass {
 public:
  LowPass() = default;
  /// @pre 1 <= order, 0 < corner * period < 1/2
  LowPass(int order, double corner, double period);

  /// From rest at zero.
  void reset() noexcept;
  /// Sets the steady state of a constant `input`.
  void settle(double input) noexcept;

  /// @returns the output of this tick
  double advance(double input) noexcept { return step_.advance(input); }

  /// Returns the value that advance() would return. Linear: preview(u) = feedthrough() * u
  /// + preview(0).
  double preview(double input) const noexcept;
  double feedthrough() const noexcept;

  /// Coefficients and state. Without sections: no filter.
  const LowPassStep<double>& step() const noexcept { return step_; }

  void save(SnapshotWriter& snapshot) const;
  void restore(SnapshotReader& snapshot);

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  using Step = LowPassStep<double>;

  Step step_;
};

}  // namespace trestle::math
