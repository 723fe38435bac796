#pragma once

#include <array>
#include <variant>
#include <vector>

#include "numerical/structure/structural_model.h"

namespace trestle::structure {

/// The stiffness that the stiffness factor of Rayleigh damping multiplies.
enum class RayleighStiffness {
  kInitial,  ///< everything as it is at rest
  kElastic,  ///< the part that cannot yield
  kTangent,  ///< that at rest of what cannot yield, the tangent of what does
};

/// C = a·M + b·K_b, M and K_b of the whole structure, with these ratios at two of its
/// modes, counted from 1: a + b·κ = 2ζω with κ = φᵀ·K_b·φ.
struct RayleighAtModes {
  std::array<double, 2> ratios{};
  std::array<int, 2> modes{1, 2};
  RayleighStiffness stiffness = RayleighStiffness::kInitial;
};

/// ... with these ratios at two frequencies [Hz], where κ = ω².
struct RayleighAtFrequencies {
  std::array<double, 2> ratios{};
  std::array<double, 2> frequencies{};
  RayleighStiffness stiffness = RayleighStiffness::kInitial;
};

/// ... with these factors.
struct RayleighFactors {
  double mass = 0.0;       ///< a [1/s]
  double stiffness = 0.0;  ///< b [s]
  RayleighStiffness of = RayleighStiffness::kInitial;
};

/// The ratio mode by mode, of the whole structure; the last one for all further modes.
struct ModalRatios {
  std::vector<double> ratios;
  int modes = 0;  ///< how many
};

using DampingModel = std::variant<std::monostate, RayleighAtModes, RayleighAtFrequencies,
                                  RayleighFactors, ModalRatios>;

/// a and b with a/(2ω) + b·ω/2 = ζ at both circular frequencies [rad/s].
/// @pre 0 < omega[0] != omega[1] > 0
RayleighFactors rayleigh_factors(const std::array<double, 2>& ratios,
                                 const std::array<double, 2>& omega);

/// Returns a and b that add_damping() uses for this structure; both zero if the damping is
/// not Rayleigh's.
RayleighFactors rayleigh_factors(const StructuralModel& structure,
                                 const DampingModel& model);

/// Adds to the damping of the numerical part.
///
/// A ratio is a promise about the whole structure at rest, so the experimental parts must
/// be in already: the modes are those of the whole, and what Rayleigh's factors or the
/// modes multiply is the mass and the stiffness of the whole, experimental parts included.
/// Only then do the modes have the ratios asked for; what damping a specimen brings comes
/// on top. Given factors mean the same. With `elastic` what may yield has no share in K_b:
/// nonlinear springs and specimens; the modes are those of the whole all the same. With
/// `tangent` the matrix is that at rest, and the scheme makes the difference.
/// @throws SettingError if a mode does not exist, or the two are of one frequency, or a
///         factor turns out negative; its path is `ratio`, `modes` or `frequencies`
void add_damping(StructuralModel& structure, const DampingModel& model);

}  // namespace trestle::structure
