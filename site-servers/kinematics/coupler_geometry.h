#pragma once

#include <cmath>

namespace trestle::kinematics {

/// The sizes of a CouplerFrame, and its formulas. A template on the number: `double`, or a
/// pack of one number per lane. Arrays have two entries: x and rz, or one per actuator.
template <typename Real>
struct CouplerGeometry {
  Real arm;
  Real angle[2];   // α₁, α₂ [rad]
  Real cosine[2];  // of them
  Real spread;     // 2 d sin α₂ [m]
  Real sense;      // θ = sense · rz
  bool sine_in_inverse = false;

  /// Where strokes turn the coupler, and its levers there.
  struct Turn {
    Real sine;   // of θ
    Real theta;  // [rad]
    Real lever[2];
  };

  /// ∂a_i/∂rz.
  Real lever(int actuator, Real theta) const noexcept {
    using std::sin;
    return -sense * arm * sin(theta + angle[actuator]);
  }

  Real sine(const Real* strokes) const noexcept {
    return (strokes[0] - strokes[1]) / spread;
  }

  Turn turn(const Real* strokes) const noexcept {
    using std::asin;
    const Real q = sine(strokes);
    const Real theta = asin(q);
    return {q, theta, {lever(0, theta), lever(1, theta)}};
  }

  void to_actuators(const Real* displacement, Real* strokes) const noexcept {
    using std::cos;
    const Real theta = sense * displacement[1];
    for (int i = 0; i < 2; ++i)
      strokes[i] = displacement[0] + arm * (cos(theta + angle[i]) - cosine[i]);
  }

  /// @param d, v, a        of the interface
  /// @param rate, change   of the strokes: first and second derivative
  void to_actuator_rates(const Real* d, const Real* v, const Real* a, Real* rate,
                         Real* change) const noexcept {
    using std::cos;
    using std::sin;
    const Real theta = sense * d[1];
    const Real turning = sense * v[1];
    const Real turning_more = sense * a[1];
    for (int i = 0; i < 2; ++i) {
      const Real across = arm * sin(theta + angle[i]);
      const Real along = arm * cos(theta + angle[i]);
      rate[i] = v[0] - across * turning;
      change[i] = a[0] - along * turning * turning - across * turning_more;
    }
  }

  /// @param sine, theta  of sine() and its arc
  void to_interface(const Real* strokes, Real sine, Real theta,
                    Real* motion) const noexcept {
    using std::cos;
    const Real turned = sine_in_inverse ? sine : theta;
    motion[0] = strokes[0] - arm * (cos(angle[0] + turned) - cosine[0]);
    motion[1] = sense * theta;
  }

  /// @param lever  of both actuators
  static void force_to_interface(const Real* force, const Real* lever,
                                 Real* generalised) noexcept {
    generalised[0] = force[0] + force[1];
    generalised[1] = lever[0] * force[0] + lever[1] * force[1];
  }

  static void force_to_actuators(const Real* force, const Real* lever,
                                 Real* along) noexcept {
    along[0] = (lever[1] * force[0] - force[1]) / (lever[1] - lever[0]);
    along[1] = (force[1] - lever[0] * force[0]) / (lever[1] - lever[0]);
  }

  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit(self.arm, self.angle[0], self.angle[1], self.cosine[0], self.cosine[1],
          self.spread, self.sense);
  }
};

}  // namespace trestle::kinematics
