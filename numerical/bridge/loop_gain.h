#pragma once

#include <vector>

#include "numerical/bridge/girders.h"
#include "numerical/bridge/linear_vehicle.h"

namespace trestle::bridge {

/// Largest amplification of a loop over frequency.
struct ContactLoopGain {
  double gain = 0.0;
  double frequency = 0.0;  ///< frequency of the gain [Hz]
};

/// Returns the gain of the loop of deflection at x and the vehicles' force from that
/// deflection: |Σ φ²/(ω_n² − ω² + 2iζω_nω)| times the sum of the vehicles' dynamic
/// stiffness |K_cc + iωC_cc − ω²M_cc| with their free DOFs condensed, all standing at x.
/// Below one the loop is stable whatever its delay is (small gain theorem).
/// @param damping  ζ of each mode
/// @param highest  highest examined frequency [Hz]
ContactLoopGain loop_gain(const BridgeModes& modes, const Eigen::VectorXd& damping,
                          double x, const std::vector<LinearVehicleSettings>& vehicles,
                          double highest);

}  // namespace trestle::bridge
