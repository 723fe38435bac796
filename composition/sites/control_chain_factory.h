#pragma once

#include "core/ports/control_chain_factory.h"

namespace trestle {

/// Every compensator and controller of the schema. Stateless; lives as long as the program.
const ControlChainFactory& control_chain_factory();

}  // namespace trestle
