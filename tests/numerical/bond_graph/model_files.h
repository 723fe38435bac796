#pragma once

#include <string>

#include "composition/numerical/bond_graph/graph_factory.h"
#include "numerical/bond_graph/substructuring.h"

namespace trestle::bond_graph {

/// Writes a model file of the current test, and reads it.
GraphModel model_of(const std::string& yaml);

/// What is wrong with a model file: the lines of the ConfigError of reading, cutting or
/// deriving it, without the folder; empty if nothing is.
std::string mistakes_in(const std::string& yaml);

/// A file of the examples, read.
GraphModel example_model(const std::string& name);

}  // namespace trestle::bond_graph
