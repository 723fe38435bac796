#pragma once

#include <string>

#include "composition/numerical/bond_graph/graph_builder.h"
#include "numerical/bond_graph/graph_model.h"

namespace trestle::config {
class GraphTransfer;
}  // namespace trestle::config

namespace trestle::bond_graph {

/// @param path  of the transfer system in the file, for errors
/// @throws SettingError
TransferModel transfer_model(const config::GraphTransfer& message,
                             const GraphBuilder::Templates& templates,
                             const ParameterScope& scope, const std::string& path);

}  // namespace trestle::bond_graph
