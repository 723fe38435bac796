#pragma once

#include <Eigen/Core>

#include "core/base/snapshot.h"
#include "numerical/integration/average_acceleration.h"
#include "numerical/integration/newton_forces.h"

namespace trestle::integration {

using StructuralState = StructuralStateOf<double>;

/// Motion of one equation, where a site shall bring its specimen.
struct DofMotion {
  double displacement = 0.0;  ///< [m | rad]
  double velocity = 0.0;      ///< [m/s | rad/s]
  double acceleration = 0.0;  ///< [m/s² | rad/s²]
};

/// Advances the equations of motion by one step of constant length Δt, with the forces of
/// springs and sites known at one predicted motion only:
///
///   M·a + C·v + K·d = p − f
///
/// Called in the order start(), then predict(), correct() step by step, by one thread. All
/// work with matrices is done in the constructor; none of the step's calls allocates.
///
/// Where the sites come in is the scheme's: most predict where the specimens shall be, and
/// correct with what they answered to that. One that solves before its target takes
/// predict() and correct() in one go with the sites' last forces, from the very first step
/// on (start() is not called): state 0 is one step from rest, and what comes out is where
/// the specimens shall be. One that commands several times in a step (commands()) is called
/// start(), then for each step predict(), iterate() for each command, correct().
class TimeIntegrator {
 public:
  virtual ~TimeIntegrator() = default;

  /// As the configuration calls it: "explicit-newmark".
  virtual const char* name() const noexcept = 0;
  /// Returns true if state k is computed first, with the sites' forces of step k−1, and its
  /// target is sent afterwards.
  virtual bool uses_previous_step_force() const noexcept = 0;
  /// The forces of the sites reach state k with the specimens' initial stiffness times what
  /// the displacement moved since the prediction.
  virtual bool carries_site_force() const noexcept { return false; }
  /// Returns the forces of the nonlinear springs, if the scheme finds them itself where the
  /// step ends, and those of members with laws: the loads that it gets leave them out.
  /// Null: they are taken at the prediction.
  virtual const NewtonForces* springs() const noexcept { return nullptr; }
  /// Order of convergence of the displacement, from rest, for a smooth load.
  virtual int order() const noexcept = 0;
  /// Largest stable Δt of the whole structure, experimental initial stiffness, damping and
  /// mass included [s]; infinite: unconditionally stable; NaN: no limit is known.
  virtual double stable_time_step() const noexcept = 0;

  /// Starts at state 0: uses displacement and velocity as they are, computes the
  /// acceleration in equilibrium with them, and discards all earlier state.
  /// @param load  p_0 − f_0: external load less the forces of springs and sites [N | N·m]
  virtual void start(const Eigen::VectorXd& load, StructuralState& state) noexcept = 0;

  /// From state k−1 to the prediction of state k, in place. Its displacement is where the
  /// forces of the springs are taken.
  virtual void predict(StructuralState& state) noexcept = 0;

  /// Returns the motion at which the force of a site is evaluated.
  /// @param predicted  as predict() left it; state k where the scheme solves before its
  ///                   target
  virtual DofMotion target(const StructuralState& predicted,
                           Eigen::Index equation) const noexcept = 0;

  /// From the prediction to state k, in place.
  /// @param load  p_k − f_k: external load less the forces of springs and sites, these
  /// taken
  ///              at the predicted motion, or at the last command [N | N·m]
  virtual void correct(const Eigen::VectorXd& load, StructuralState& state) noexcept = 0;

  /// Saves the memory of the step beside the state.
  virtual void save(SnapshotWriter& snapshot) const = 0;
  virtual void restore(SnapshotReader& snapshot) = 0;

  /// Commands to the sites in one step.
  virtual int commands() const noexcept { return 1; }
  /// Where the sites were asked last, of all equations [m | rad].
  /// @param predicted  as predict() left it
  virtual const Eigen::VectorXd& asked(const StructuralState& predicted) const noexcept {
    return predicted.displacement;
  }
  /// With several commands in a step: takes target() to the next of them.
  /// @param load       external load of the step less the forces of the sites, as they
  ///                   answered to the command before [N | N·m]
  /// @param predicted  as predict() left it
  /// @param command    1 to commands()
  virtual void iterate(const Eigen::VectorXd& /*load*/,
                       const StructuralState& /*predicted*/, int /*command*/) noexcept {}
};

}  // namespace trestle::integration
