#pragma once

#include "core/math/state_space.h"

namespace trestle::controller_design {

/// The continuous system that the bilinear rule s = 2/δt·(z − 1)/(z + 1) turns into this
/// one. The largest gain over all frequencies is the same for both, so that an H∞ design
/// for its image is one for the sampled plant itself; a frequency ω of the sampled system
/// is 2/δt·tan(ω·δt/2) in its image. The inverse of discretise(..., kTustin), but for the
/// scale of the states.
/// @throws SettingError("plant") if it has a pole at z = −1
math::StateSpace bilinear_image(const math::DiscreteStateSpace& system);

}  // namespace trestle::controller_design
