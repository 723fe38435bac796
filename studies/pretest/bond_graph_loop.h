#pragma once

#include "studies/pretest/assessment.h"

namespace trestle::config {
class Test;
}  // namespace trestle::config

namespace trestle::pretest {

/// Makes the closed loop of a test of a bond graph: the stepper itself, applied to unit
/// states, and transfer systems together with the specimen that loads them. In its report,
/// "without compensation" means without the virtual junction.
/// @throws SettingError if the test cannot be built
TestClosedLoop make_bond_graph_loop(const config::Test& test);

}  // namespace trestle::pretest
