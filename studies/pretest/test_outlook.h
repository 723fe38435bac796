#pragma once

#include <optional>
#include <string>
#include <vector>

#include "composition/numerical/imposed_motion.h"
#include "composition/processes/hybrid_test_setup.h"
#include "studies/pretest/demand_factory.h"

namespace trestle::pretest {

/// The expected course of a test.
struct TestOutlook {
  /// Wall time from the first step to the last [s]; empty: as fast as possible.
  std::optional<double> wall{};
  bool wall_at_least = false;  ///< the ways of some site are not known
  std::string record{};        ///< `excitation.record`: a file, or "synthetic"; empty: none
  double peak_ground_acceleration = 0.0;  ///< of `record`, with its scale [m/s²]
  std::vector<composition::ImposedMotion> motions{};  ///< in place of `record`
};

/// @param demands  of estimate_demand(), or empty
/// @throws SettingError if a record cannot be read
TestOutlook outlook_of(const composition::HybridTestSetup& setup,
                       const std::vector<SiteDemand>& demands);

}  // namespace trestle::pretest
