#pragma once

#include <memory>

#include "proto/config/identification.pb.h"
#include "studies/identification/girder.h"

namespace trestle::identification {

/// @throws SettingError
std::unique_ptr<Girder> bridge_girder(const config::CrossedBridge& bridge,
                                      int elements_per_span);

/// Elements per span: the study's, or else enough for what its sensors measure. The
/// curvature of a Hermite element is two orders poorer than its deflection.
int elements(const config::Identification& study);

}  // namespace trestle::identification
