#pragma once

#include <string>

#include "composition/processes/hybrid_test_setup.h"

namespace trestle::cli {

/// The modes of a structure as CSV: a column for each mode; rows `frequency_Hz`,
/// `damping_ratio`, then one for each DOF, mass-normal.
std::string mode_shapes_csv(const composition::NumericalReport& model);

}  // namespace trestle::cli
