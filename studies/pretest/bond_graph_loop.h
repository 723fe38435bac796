#pragma once

#include "studies/pretest/assessment.h"

namespace trestle {

namespace config {
class Test;
}

/// The closed loop of a test of a bond graph: the stepper itself, asked about unit states,
/// and transfer systems together with the specimen that loads them. What is without
/// compensation in its report is without the virtual junction.
/// @throws SettingError where the test cannot be built
TestClosedLoop make_bond_graph_loop(const config::Test& test);

}  // namespace trestle
