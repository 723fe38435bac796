#pragma once

#include "core/math/state_space.h"
#include "studies/characterisation/characterisation.h"
#include "studies/characterisation/delayed_transfer.h"

namespace trestle::characterisation {

/// From a drive to the reading, tick by tick: exactly tick_response(), one tick later, as a
/// controller sees it that reads, and then drives: y[k] = C x[k] answers the drives up to
/// k − 1. The first states are the last drives.
math::DiscreteStateSpace sampled_transfer(const DelayedTransfer& transfer, double tick);

/// The whole rig as it was identified, from all drives to all readings: with coupling, what
/// each actuator does to the others, too.
/// @pre the characterisation is complete
math::DiscreteStateSpace sampled_plant(const CharacteriseReport& report, double tick);

}  // namespace trestle::characterisation
