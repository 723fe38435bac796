#pragma once

#include "core/ports/control_chain_factory.h"

namespace trestle::composition {

/// Makes every compensator and controller of the schema. Stateless; exists as long as the
/// program.
const ControlChainFactory& control_chain_factory();

}  // namespace trestle::composition
