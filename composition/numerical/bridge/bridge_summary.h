#pragma once

#include "composition/numerical/bridge/bridge_factory.h"
#include "numerical/bridge/bridge_substructure.h"

namespace trestle::composition {

/// Deflection at x under a force of 1 N there, of all elements' modes: exact [m/N].
double static_deflection(const bridge::Girders& girders, double x);

/// Fills in the report before a run, except for the times.
BridgeReport summary_of(const bridge::BridgeParts& parts, const bridge::Girders& girders);

}  // namespace trestle::composition
