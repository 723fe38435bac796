#pragma once

#include "core/yaml/source_map.h"
#include "proto/config/test.pb.h"

namespace trestle::composition {

/// A limit in millimetres does not fit a rotation: where the schema leaves the dimension to
/// the DOF, the unit that was written must be that DOF's.
/// @throws SettingError with every place where it is not
void check_units(const config::Test& test, const yaml::SourceMap& where);

}  // namespace trestle::composition
