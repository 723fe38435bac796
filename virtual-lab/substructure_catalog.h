#pragma once

#include <memory>

#include "numerical/frame/numerical_catalog.h"

namespace trestle {

/// The numerical substructure of a test, whatever its model is.
/// @param report  filled if given
/// @throws SettingError, or ConfigError for what is wrong in a model's own file
std::unique_ptr<NumericalSubstructure> make_substructure(const config::Test& test,
                                                         NumericalReport* report);

}  // namespace trestle
