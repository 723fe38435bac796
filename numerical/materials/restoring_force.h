#pragma once

#include <limits>

#include "core/base/snapshot.h"

namespace trestle::materials {

/// What a law answers to a trial motion.
struct LawResponse {
  double force = 0.0;      ///< positive if it resists a positive displacement [N | N·m]
  double stiffness = 0.0;  ///< its derivative by the displacement [N/m | N·m/rad]
  double damping = 0.0;    ///< its derivative by the velocity [N·s/m | N·m·s/rad]
};

/// Force of one spring along one coordinate, with its memory.
///
/// trial() tries a motion from the state that was committed last; a second trial forgets
/// the first. commit() makes the motion of the latest trial the state. No call allocates.
class RestoringForce {
 public:
  virtual ~RestoringForce() = default;

  /// Tangent at rest [N/m | N·m/rad].
  virtual double initial_stiffness() const noexcept = 0;

  /// Largest tangent of any motion [N/m | N·m/rad]: what a scheme that splits the force
  /// must put on its implicit side.
  virtual double largest_stiffness() const noexcept { return initial_stiffness(); }

  /// At first yield [N | N·m]; infinite: it cannot yield.
  virtual double yield_force() const noexcept {
    return std::numeric_limits<double>::infinity();
  }

  /// @param displacement  [m | rad]
  /// @param velocity      [m/s | rad/s]
  virtual LawResponse trial(double displacement, double velocity) noexcept = 0;
  virtual void commit() noexcept = 0;

  /// Moves the spring to `displacement` for good [m | rad]: a trial that is committed.
  /// @returns its force, positive if it resists a positive displacement [N | N·m]
  double advance(double displacement, double velocity = 0.0) noexcept {
    const double force = trial(displacement, velocity).force;
    commit();
    return force;
  }

  virtual void reset() noexcept = 0;
  virtual void save(SnapshotWriter& snapshot) const = 0;
  virtual void restore(SnapshotReader& snapshot) = 0;
};

}  // namespace trestle::materials
