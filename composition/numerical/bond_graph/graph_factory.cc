#include "composition/numerical/bond_graph/graph_factory.h"

#include "composition/numerical/bond_graph/graph_builder.h"
#include "composition/numerical/bond_graph/graph_transfer_factory.h"
#include "core/base/nearest_name.h"
#include "core/base/setting_error_collector.h"
#include "core/yaml/config_error.h"
#include "core/yaml/yaml_reader.h"
#include "numerical/bond_graph/fault.h"
#include "proto/config/bond_graph.pb.h"

namespace trestle::bond_graph {
namespace {

std::string indexed(const char* field, int index) {
  return std::string(field) + "[" + std::to_string(index) + "]";
}

/// Marks the component of this name, or all parts of the instance of this name.
bool mark(GraphModel& model, const std::string& name) {
  bool any = false;
  for (std::size_t i = 0; i < model.physical.size(); ++i) {
    const std::string& element = model.graph.element(i).name;
    if (element != name && !element.starts_with(name + "/")) continue;
    model.physical[i] = any = true;
  }
  return any;
}

void mark_hardware(const config::BondGraph& message, GraphModel& model,
                   SettingErrorCollector& problems) {
  model.physical.assign(model.graph.elements().size(), false);
  model.has_partition = message.physical_size() + message.transfer_size() > 0;
  std::vector<std::string> known;
  for (const auto& component : message.components()) known.push_back(component.name());
  for (int i = 0; i < message.physical_size(); ++i)
    if (!mark(model, message.physical(i)))
      problems.add(indexed("physical", i),
                   coded("there is no component `" + message.physical(i) + "`" +
                             suggest(message.physical(i), known),
                         "E_UNKNOWN"));
}

/// The state that `initial` gives to a storage.
double initial_state(const config::GraphInitial& message, const Element& element,
                     const ParameterScope& scope, const std::string& path) {
  const std::string& name = element.name;
  const bool displacement = !message.displacement().empty();
  const bool velocity = !message.velocity().empty();
  const bool momentum = !message.momentum().empty();
  if (displacement + velocity + momentum != 1)
    fail("E_INITIAL", path,
         "the initial state of `" + name + "` is given in " +
             std::to_string(displacement + velocity + momentum) +
             " ways; must be one of displacement (of C), velocity and momentum (of I)");
  const bool spring = element.type == ElementType::kSpring;
  if (!is_storage(element.type) || spring != displacement)
    fail("E_INITIAL", path,
         "`" + name + "` has no initial " +
             (displacement ? "displacement; only springs (C) have one"
              : velocity   ? "velocity; only masses (I) have one"
                           : "momentum; only masses (I) have one"));
  if (spring)
    return scope.number(message.displacement(), config::LENGTH,
                        "initial displacement of `" + name + "`", path + ".displacement");
  if (momentum)
    return scope.number(message.momentum(), config::PLAIN,
                        "initial momentum of `" + name + "`", path + ".momentum");
  if (element.law)
    fail("E_INITIAL", path + ".velocity",
         "`" + name +
             "` has a law, so that its momentum does not follow from its "
             "velocity; give its momentum");
  return element.value * scope.number(message.velocity(), config::VELOCITY,
                                      "initial velocity of `" + name + "`",
                                      path + ".velocity");
}

void read_initial(const config::BondGraph& message, const ParameterScope& scope,
                  Graph& graph, SettingErrorCollector& problems) {
  std::vector<std::string> known;
  for (const Element& element : graph.elements())
    if (is_storage(element.type)) known.push_back(element.name);
  for (int i = 0; i < message.initial_size(); ++i) {
    const std::string path = indexed("initial", i);
    const std::string& name = message.initial(i).store();
    const std::size_t at = graph.find(name);
    if (at == graph.elements().size())
      problems.add(path, coded("there is no store `" + name + "`" + suggest(name, known),
                               "E_UNKNOWN"));
    else
      try {
        graph.element(at).initial =
            initial_state(message.initial(i), graph.element(at), scope, path);
      } catch (const SettingError& error) {
        problems.add_below("", error);
      }
  }
}

}  // namespace

GraphModel graph_model(const config::BondGraph& message) {
  ParameterScope scope;
  for (int i = 0; i < message.params_size(); ++i)
    scope.define(message.params(i).name(), message.params(i).value(),
                 indexed("params", i) + ".value");
  GraphModel model;
  model.name = message.bond_graph();
  model.physical_path = "physical";
  model.transfer_path = "transfer";
  SettingErrorCollector problems;
  try {
    model.graph = GraphBuilder(message.templates(), scope)
                      .build(message.components(), message.bonds(), "");
    mark_hardware(message, model, problems);
    read_initial(message, scope, model.graph, problems);
  } catch (const SettingError& error) {
    problems.add_below("", error);
  }
  for (int i = 0; i < message.transfer_size(); ++i) try {
      model.transfers.push_back(transfer_model(message.transfer(i), message.templates(),
                                               scope, indexed("transfer", i)));
    } catch (const SettingError& error) {
      problems.add_below("", error);
    }
  problems.throw_if_any();
  for (int i = 0; i < message.outputs_size(); ++i) {
    const config::GraphVariable variable = message.outputs(i).variable();
    model.outputs.push_back(
        {variable == config::GRAPH_VARIABLE_E || variable == config::GRAPH_VARIABLE_EFFORT,
         message.outputs(i).component(), indexed("outputs", i)});
  }
  return model;
}

namespace {

/// The reader's complaints with the codes of this format.
std::vector<std::string> with_codes(std::vector<std::string> lines) {
  for (std::string& line : lines) {
    const bool unknown = line.find("unknown key") != std::string::npos;
    const bool twice = line.find(" already") != std::string::npos;
    line = coded(line, unknown ? "E_UNKNOWN" : twice ? "E_DUPLICATE" : "E_PARSE");
  }
  return lines;
}

}  // namespace

GraphModel read_graph_model(const std::string& file,
                            const std::vector<std::string>& overrides,
                            yaml::SourceMap& where) {
  config::BondGraph message;
  try {
    yaml::read_yaml(file, overrides, message, where);
  } catch (const yaml::ConfigError& error) {
    throw yaml::ConfigError(with_codes(error.lines()));
  }
  try {
    return graph_model(message);
  } catch (const SettingError& error) {
    throw yaml::ConfigError(where.explain(error));
  }
}

}  // namespace trestle::bond_graph
