#pragma once

#include <limits>

#include "core/base/snapshot.h"

namespace trestle::materials {

/// What a law answers to a trial motion.
struct LawResponse {
  double force = 0.0;      ///< positive if it resists a positive displacement [N | N·m]
  double stiffness = 0.0;  ///< its derivative by the displacement [N/m | N·m/rad]
  double damping = 0.0;    ///< its derivative by the velocity [N·s/m | N·m·s/rad]
  double beside = 0.0;     ///< its derivative by the displacement of its partner [N/m]
};

/// The velocity that belongs to a force.
struct RateResponse {
  double rate = 0.0;   ///< [m/s | rad/s]
  double slope = 0.0;  ///< its derivative by the force [m/(s·N) | rad/(s·N·m)]
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

  /// The force depends on the velocity, or on the time that a displacement takes.
  virtual bool depends_on_rate() const noexcept { return false; }
  /// The slope of the force by the velocity is infinite at rest: rate_by() states the law,
  /// which has no other memory and no stiffness.
  virtual bool states_rate() const noexcept { return false; }
  virtual RateResponse rate_by(double /*force*/) const noexcept { return {}; }
  /// The inverse of rate_by().
  virtual double force_by_rate(double /*rate*/) const noexcept { return 0.0; }

  /// Time between two commits [s]; infinite, as at first: motions are at rest.
  virtual void set_time_step(double /*time_step*/) noexcept {}

  /// The law shares its memory with that of another direction of the same link, its
  /// partner: both are told where they will be tried before either is.
  virtual void foresee(double /*displacement*/) noexcept {}

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

  /// A damper: its work counts as that of damping.
  virtual bool is_damper() const noexcept { return false; }
  /// Energy that unloading would give back, at the displacement committed last [J]; NaN:
  /// the law does not say.
  virtual double stored_energy(double /*displacement*/) const noexcept {
    return std::numeric_limits<double>::quiet_NaN();
  }
};

}  // namespace trestle::materials
