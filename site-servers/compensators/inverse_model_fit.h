#pragma once

#include <complex>
#include <functional>

#include "core/math/state_space.h"
#include "core/ports/linear_models.h"
#include "site-servers/compensators/series_coefficients.h"

namespace trestle::compensators {

/// The response of the system behind a compensator, from one command to its measured
/// displacement, at a complex frequency s [rad/s].
using FrequencyResponse = std::function<std::complex<double>(std::complex<double> s)>;

struct FitBand {
  double lowest = 0.5;   ///< [Hz], > 0
  double highest = 8.0;  ///< [Hz], > lowest
  int points = 16;       ///< equispaced, >= 2
};

/// The coefficients of a₀ + a₁·s + a₂·s² closest to 1/T(s) over a band: real least squares
/// of 1/T(jω) ≈ a₀ + a₁·jω − a₂·ω² at the band's points. For what is no pure delay this is
/// better than a₂ = τ²/2: of a table with a loop gain of 25 1/s that is 2.3 times too much.
/// @throws SettingError("lowest" | "highest" | "points") for a band that cannot be
SeriesCoefficients fit_inverse(const FrequencyResponse& response, const FitBand& band);

/// The first three Taylor coefficients of 1/T at s = 0, by Cauchy's integral over a circle
/// on which a slow table is far from its poles.
SeriesCoefficients taylor_inverse(const FrequencyResponse& response);

/// A sampled plant under a controller: commands in, measured displacements out.
/// @param plant  D = 0; as many drives as displacements
math::DiscreteStateSpace closed_loop(const math::DiscreteStateSpace& plant,
                                     const LinearControllerModel& control);

}  // namespace trestle::compensators
