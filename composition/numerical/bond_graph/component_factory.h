#pragma once

#include <map>
#include <string>
#include <vector>

#include "composition/numerical/bond_graph/value_scope.h"
#include "numerical/bond_graph/element.h"

namespace trestle::config {
class GraphComponent;
class GraphLaw;
}  // namespace trestle::config

namespace trestle::bond_graph {

/// `Se`, `I`, `TF`, `0` ...: the letters of all elements.
std::vector<std::string> element_letters();

/// @returns whether the letters are those of an element
bool is_element(const std::string& letters);

/// @param name  of the element, with the instance before it: `mass1/m`
/// @param law   in place of the component's own, or null
/// @param path  of the component, for errors
/// @throws SettingError [E_PARAM, E_LAW, E_UNKNOWN]
Element make_element(const config::GraphComponent& component, const std::string& name,
                     const config::GraphLaw* law, const std::string& law_path,
                     const ParameterScope& scope, const std::string& path);

}  // namespace trestle::bond_graph
