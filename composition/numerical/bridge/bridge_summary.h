#pragma once

#include "composition/numerical/bridge/bridge_factory.h"
#include "numerical/bridge/bridge_substructure.h"

namespace trestle {

/// Deflection at x under a force of 1 N there, of all elements' modes: exact [m/N].
double static_deflection(const Girders& girders, double x);

/// Fills in the report before a run, except for the times.
BridgeReport summary_of(const BridgeParts& parts, const Girders& girders);

}  // namespace trestle
