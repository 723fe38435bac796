#pragma once

#include "core/math/state_space.h"

namespace trestle::controller_design {

struct PeakGain {
  double gain = 0.0;       ///< sup over ω of the largest singular value
  double frequency = 0.0;  ///< where it is [rad/s]; may be infinite
};

/// The H∞ norm of a stable system, by the eigenvalues of a Hamiltonian on the imaginary
/// axis: they are the frequencies at which a singular value crosses a level (Boyd,
/// Balakrishnan and Kabamba 1989, doi:10.1007/BF02551385; with the steps of Bruinsma and
/// Steinbuch 1990, doi:10.1016/0167-6911(90)90049-Z). Set-up only.
///
/// @param tolerance  relative: the norm is at most 1 + tolerance times what is returned
/// @throws SettingError("system") if it is not stable
PeakGain hinf_norm(const math::StateSpace& system, double tolerance = 1e-6);

}  // namespace trestle::controller_design
