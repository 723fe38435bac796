#pragma once

#include <memory>

#include "composition/numerical/bridge/bridge_factory.h"
#include "composition/numerical/numerical_factory.h"
#include "composition/numerical/test_start.h"

namespace trestle::composition {

/// The report of `trestle check` about the numerical substructure.
struct SubstructureReport {
  NumericalReport model;
  std::unique_ptr<BridgeReport> bridge;  ///< null: no bridge
};

/// Makes the numerical substructure of a test, of any kind, with its reference.
/// @param report  filled if given
/// @param start   kResumed: a measured track may have gaps
/// @throws SettingError with all problems that can be told at once, or ConfigError for what
///         is wrong in a model's own file
std::unique_ptr<NumericalSubstructure> make_substructure(const config::Test& test,
                                                         SubstructureReport* report,
                                                         TestStart start = TestStart::kNew);

}  // namespace trestle::composition
