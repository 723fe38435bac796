#pragma once

#include <vector>

namespace trestle::characterisation {

/// The motion of a transfer system from rest, one value per tick: the drive in force during
/// it, and displacement and force at its end, all relative to the initial position.
struct TransferRecord {
  std::vector<double> drive;         ///< [m]
  std::vector<double> displacement;  ///< [m]
  std::vector<double> force;         ///< needed to hold the specimen [N]; empty: none felt
};

struct TransferParameterSettings {
  double mass = 1.0;   ///< m, known [kg]
  double load = 1.0;   ///< part of the force that acts on it
  double tick = 1e-3;  ///< [s]
  double noise = 0.0;  ///< of a displacement reading, standard deviation [m]; 0: not known
};

/// A physically plausible transfer system, m x'' = k (drive − x) − c x' − load·F: a mass on
/// spring and damper, neither of them below zero.
struct TransferParameters {
  double damping = 0.0;            ///< c [N·s/m]
  double stiffness = 0.0;          ///< k [N/m]
  double damping_deviation = 0.0;  ///< one standard deviation
  double stiffness_deviation = 0.0;
  double misfit = 0.0;     ///< root mean square of what is left [m]
  double relative = 0.0;   ///< the same over that of the displacement
  double frequency = 0.0;  ///< sqrt(k/m)/2π [Hz]
  double ratio = 0.0;      ///< c/(2 sqrt(k m))
  bool found = false;      ///< the iteration came to its end
};

/// Least squares on the records themselves, by Gauss, Newton, Levenberg and Marquardt on
/// ln c and ln k, from several starts; their sensitivities are integrated beside the
/// motion, as Gawthrop, Wallace and Wagg (2005, section 5.1) do, drives held over a tick,
/// forces by their mean. A misfit that departs from the noise widens the deviations.
TransferParameters fit_transfer_parameters(const std::vector<TransferRecord>& records,
                                           const TransferParameterSettings& settings);

}  // namespace trestle::characterisation
