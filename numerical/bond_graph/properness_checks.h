#pragma once

#include <vector>

#include "core/math/state_space.h"
#include "numerical/bond_graph/diagnostic.h"
#include "numerical/bond_graph/junction_structure.h"
#include "numerical/bond_graph/transfer_inverse.h"

namespace trestle::bond_graph {

/// Checks by the shortest causal paths that the virtual junction of a nonlinear model is
/// proper.
/// @throws SettingError [E_VJ_IMPROPER]
void check_properness(const JunctionStructure& S, const TransferInverse& inverse,
                      const JunctionLabels& names);

/// Zeros of the transfer systems on the imaginary axis [W_VJ_MARGINAL].
void report_marginal_zeros(const TransferInverse& inverse, std::vector<Diagnostic>& notes);

/// Measured forces that enter a command with a gain above 1 [W_VJ_GAIN].
/// @param command  from F_P of every port first, to F_T of every port first
void report_large_gains(const math::StateSpace& command, const JunctionLabels& names,
                        std::vector<Diagnostic>& notes);

}  // namespace trestle::bond_graph
