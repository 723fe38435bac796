#pragma once

#include "core/math/state_space.h"
#include "core/ports/specimen_model.h"

namespace trestle::pretest {

/// A specimen near rest, from tick to tick. Inputs: displacement, velocity and acceleration
/// of the controlled DOFs, one below the other; outputs: the forces at all its DOFs.
struct LinearSpecimenModel {
  math::DiscreteStateSpace system;
  Eigen::MatrixXd stiffness;  ///< the part of it that is initial stiffness
  /// True if the model is exact. Otherwise the specimen has inner motion, and the model is
  /// its stiffness, damping and mass condensed to the interface.
  bool exact = true;
};

/// By what the specimen answers to a push of 1 nm (nrad) that lasts one tick, which is
/// linear for any law that begins so; its memory may last two ticks (backward differences).
/// Leaves it prepared.
/// @param controlled  its first DOFs; the others stand still
LinearSpecimenModel linearise(SpecimenModel& specimen, Eigen::Index controlled,
                              double tick);

/// The same with a part of its initial stiffness.
LinearSpecimenModel with_stiffness(LinearSpecimenModel form, double part);

}  // namespace trestle::pretest
