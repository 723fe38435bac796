#pragma once

#include <string>

#include "core/yaml/source_map.h"
#include "numerical/bond_graph/graph_model.h"

namespace trestle::config {
class BondGraph;
}  // namespace trestle::config

namespace trestle::bond_graph {

/// A model from its message, templates written out.
/// @throws SettingError with all that is wrong, in sentences that end with their code
GraphModel graph_model(const config::BondGraph& message);

/// A model from its file, MODEL.yaml.
/// @param overrides  path=value
/// @throws ConfigError with `file:line:col` of all that is wrong
GraphModel read_graph_model(const std::string& file,
                            const std::vector<std::string>& overrides,
                            yaml::SourceMap& where);

}  // namespace trestle::bond_graph
