#pragma once

#include <optional>
#include <string>

#include "core/math/state_space.h"
#include "studies/controller_design/hinf_synthesis.h"

namespace trestle::controller_design {

/// Weights of a mixed-sensitivity design, the same for every actuator:
///
///   W₁ = (s/peak + ω)/(s + ω·static_error),     ω = 2π·bandwidth,
///   W₂ = (s + ν)/(s/100 + ν)/drive_gain,        ν = 2π·drive_corner.
struct SensitivityWeights {
  double bandwidth = 1.0;      ///< where |W₁| crosses about one [Hz], > 0
  double static_error = 1e-3;  ///< error of a target at rest, 0 ... 1
  double peak = 2.0;           ///< of the sensitivity at high frequencies, > 1
  double drive_gain = 10.0;    ///< most drive over error at low frequencies, > 0
  double drive_corner = 20.0;  ///< less from there on [Hz], > 0
};

struct SensitivitySettings {
  SensitivityWeights weights{};
  bool widest = true;    ///< the widest bandwidth with γ <= 1, in place of the given one
  double excess = 1.02;  ///< level over the least one, > 1
};

struct SensitivityDesign {
  HinfController hinf;  ///< from the errors to the drives
  SensitivityWeights weights;
  double norm = 0.0;  ///< of [W₁S; W₂KS], by the Hamiltonian
  double error_peak =
      0.0;  ///< largest singular value of S = (I + G K)⁻¹, over all frequencies
  double drive_peak = 0.0;  ///< of K S
};

/// Weighted errors and drives over the targets r: w = r, v = e = r − G u, z = (W₁e; W₂u).
GeneralisedPlant mixed_sensitivity_plant(const math::StateSpace& plant,
                                         const SensitivityWeights& weights);

/// The feedback of errors, drive = K·(command − measured), with ‖[W₁S; W₂KS]‖∞ near its
/// minimum (Kwakernaak 1985, doi:10.1109/TAC.1985.1103974; Skogestad and Postlethwaite
/// 2005, chapter 9, for the weights).
///
/// `widest` finds by bisection the largest bandwidth whose least level is one: then both
/// weights are met, and the plant's delay and zeros decide how fast the loop is.
///
/// @param plant  as many drives as displacements; may have direct feedthrough
/// @param path   of the settings, for the error
/// @throws SettingError below `path` for a weight outside its range, a plant that is not
///         square, or weights that no bandwidth meets; of synthesise_hinf()
SensitivityDesign design_mixed_sensitivity(const math::StateSpace& plant,
                                           const SensitivitySettings& settings,
                                           const std::string& path);

}  // namespace trestle::controller_design
