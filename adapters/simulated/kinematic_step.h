#pragma once

#include <Eigen/Core>

namespace trestle::simulated {

/// The matrices and the state of a KinematicSpecimen, and its force. A template on the
/// number: `double`, or a pack of one number per lane.
template <typename Real>
struct KinematicStep {
  using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
  using Vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

  Matrix follow;  // z = follow z_c: the unit matrix above −K_oo⁻¹ K_oc
  // Rows of the interface DOFs, columns of all.
  Matrix stiffness;
  Matrix damping;
  Matrix mass;
  Real period{0.0};
  bool begun = false;  // the first call was made
  Vector position{};
  Vector velocity{};
  Vector acceleration{};
  Vector next{};

  void reset() noexcept {
    begun = false;
    for (Vector* values : {&position, &velocity, &acceleration, &next}) values->setZero();
  }

  /// @param controlled  displacement of the controlled DOFs
  /// @param force       one per interface DOF
  template <typename Displacement, typename Force>
  void advance(const Displacement& controlled, Force& force) noexcept {
    next.noalias() = follow.lazyProduct(controlled);
    if (begun) {
      for (Eigen::Index i = 0; i < next.size(); ++i) {
        const Real speed = (next[i] - position[i]) / period;
        acceleration[i] = (speed - velocity[i]) / period;
        velocity[i] = speed;
      }
    }
    begun = true;
    position.swap(next);
    force.noalias() = stiffness.lazyProduct(position);
    force.noalias() += damping.lazyProduct(velocity);
    force.noalias() += mass.lazyProduct(acceleration);
  }

  /// All that a copy in another number type needs, before the first call.
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit(self.follow, self.stiffness, self.damping, self.mass, self.period, self.position,
          self.velocity, self.acceleration, self.next);
  }
};

}  // namespace trestle::simulated
