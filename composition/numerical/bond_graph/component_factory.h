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

/// A law that an instance gives to one of its parts.
struct GivenLaw {
  const config::GraphLaw* law = nullptr;  ///< null: none is given
  std::string path = {};                  ///< for errors
};

/// @param name  of the element, with the instance before it: `mass1/m`
/// @param given in place of the component's own law
/// @param path  of the component, for errors
/// @throws SettingError [E_PARAM, E_LAW, E_UNKNOWN]
Element make_element(const config::GraphComponent& component, const std::string& name,
                     const GivenLaw& given, const ParameterScope& scope,
                     const std::string& path);

}  // namespace trestle::bond_graph
