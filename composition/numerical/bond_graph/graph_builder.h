#pragma once

#include <google/protobuf/repeated_ptr_field.h>

#include <map>
#include <string>
#include <vector>

#include "composition/numerical/bond_graph/value_scope.h"
#include "core/base/setting_error_collector.h"
#include "numerical/bond_graph/graph.h"

namespace trestle::config {
class GraphBond;
class GraphComponent;
class GraphLaw;
class GraphTemplate;
}  // namespace trestle::config

namespace trestle::bond_graph {

/// Writes out the templates of a model file: `mass1: {type: Mass}` becomes `mass1/m`,
/// `mass1/k`, ..., and a bond to `mass1.L` one to the component behind that port.
class GraphBuilder {
 public:
  using Templates = google::protobuf::RepeatedPtrField<config::GraphTemplate>;
  using Components = google::protobuf::RepeatedPtrField<config::GraphComponent>;
  using Bonds = google::protobuf::RepeatedPtrField<config::GraphBond>;

  /// @param templates, scope  must live as long as this
  GraphBuilder(const Templates& templates, const ParameterScope& scope)
      : templates_(templates), scope_(scope) {}

  /// @param path  of the message that has these components and bonds; empty: the file
  /// @returns a checked graph in one piece
  /// @throws SettingError with all that is wrong
  Graph build(const Components& components, const Bonds& bonds, const std::string& path);

 private:
  /// Laws that an instance gives to its parts.
  struct LawOverrides {
    const google::protobuf::RepeatedPtrField<config::GraphLaw>* laws = nullptr;
    std::string path;
  };
  /// The scope of names: inside an instance of a template, or in the file.
  struct BuildScope {
    std::string prefix;  ///< `mass1/`
    const ParameterScope* scope;
    LawOverrides laws;
    std::string path;
    int depth = 0;
  };

  void add_all(const Components& components, const Bonds& bonds, const BuildScope& place);
  void add_component(const config::GraphComponent& component, const BuildScope& place,
                     const std::string& path);
  void add_instance(const config::GraphComponent& component, int index,
                    const BuildScope& place, const std::string& path);
  void check_instance(const config::GraphComponent& component,
                      const config::GraphTemplate& shape, const std::string& name,
                      const std::string& path);
  void add_bond(const config::GraphBond& bond, const BuildScope& place,
                const std::string& path);
  std::string end_of_bond(const std::string& text, const BuildScope& place,
                          const std::string& path) const;
  int find_template(const std::string& type, const std::string& name,
                    const std::string& path) const;
  void collect(const std::string& path, const char* code, const std::string& what);

  const Templates& templates_;
  const ParameterScope& scope_;
  Graph graph_;
  std::map<std::string, std::map<std::string, std::string>>
      terminals_;  // by instance, port
  SettingErrorCollector problems_;
};

}  // namespace trestle::bond_graph
