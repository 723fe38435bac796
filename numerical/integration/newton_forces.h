#pragma once

#include <Eigen/Core>
#include <cstddef>

namespace trestle::integration {

class TangentDamping;

/// What the springs of a structure do at the end of a step, as a scheme found it by
/// Newton's method.
class NewtonForces {
 public:
  virtual ~NewtonForces() = default;

  /// Deformation of a spring at the end of the last step, in the structure's order.
  virtual double elongation(std::size_t spring) const noexcept = 0;
  /// Its force [N | N·m].
  virtual double force(std::size_t spring) const noexcept = 0;
  /// Adds factor times the forces of all springs, as they were committed last.
  virtual void add_forces(double factor, Eigen::VectorXd& sum) const noexcept = 0;
  /// Rayleigh damping on the tangent of what yields, beside the damping matrix, at the end
  /// of the last step.
  virtual const TangentDamping& damping() const noexcept = 0;
  /// The largest force that the last step left unbalanced [N | N·m].
  virtual double residual() const noexcept = 0;
  /// Largest residual that is accepted [N | N·m].
  virtual double stop_above() const noexcept = 0;
};

}  // namespace trestle::integration
