#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/ports/operator_interface.h"

namespace trestle::operators {

/// Adds the state of a node to an answer, as docs/howto/operate-a-test.md lists its keys.
void add_standing(nlohmann::ordered_json& json, const NodeStatus& standing);

/// Reads it back. What an earlier version does not state keeps its default.
/// @throws nlohmann::json::exception if a key that each version states is absent, or of
///         another type
NodeStatus standing_of(const nlohmann::ordered_json& json);

}  // namespace trestle::operators
