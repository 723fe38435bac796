#pragma once

#include "composition/numerical/bridge/bridge_factory.h"
#include "numerical/bridge/bridge_substructure.h"

namespace trestle {

/// Deflection at x under a force of 1 N there, of all elements' modes: exact [m/N].
double static_deflection(const Girders& girders, double x);

/// What can be told before a run, but for what BridgeReport says of time.
BridgeReport summary_of(const BridgeParts& parts, const Girders& girders);

}  // namespace trestle
