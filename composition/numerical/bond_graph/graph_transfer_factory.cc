#include "composition/numerical/bond_graph/graph_transfer_factory.h"

#include "composition/linear/matrix_factory.h"
#include "core/base/setting_error.h"
#include "numerical/bond_graph/fault.h"
#include "numerical/bond_graph/graph_structure.h"
#include "proto/config/bond_graph.pb.h"

namespace trestle::bond_graph {
namespace {

/// Force source, mass, damper and spring at one velocity.
Graph second_order(const config::GraphTransfer& message, const ParameterScope& scope,
                   const std::string& path) {
  Graph graph;
  graph.add({.name = "F", .type = ElementType::kEffortSource, .path = path});
  graph.add({.name = "v", .type = ElementType::kOneJunction, .path = path});
  graph.connect("F", "v", "", path);
  const auto add = [&](const char* name, const std::string& text, ElementType type,
                       config::Dimension dimension) {
    if (text.empty()) return;
    const std::string what = std::string(name) + " of `" + message.name() + "`";
    graph.add({.name = name,
               .type = type,
               .value = scope.number(text, dimension, what, path + "." + name),
               .path = path + "." + name});
    graph.connect("v", name, "", path);
  };
  add("k", message.k(), ElementType::kSpring, config::STIFFNESS);
  add("m", message.m(), ElementType::kInertia, config::GENERALISED_MASS);
  add("c", message.c(), ElementType::kResistor, config::DAMPING);
  check_structure(graph, true);
  return graph;
}

math::StateSpace state_space(const config::GraphStateSpace& message,
                             const std::string& path) {
  math::StateSpace system;
  system.A = message.has_a() ? composition::make_matrix(message.a(), 0, 0, path + ".A")
                             : Eigen::MatrixXd();
  const Eigen::Index n = system.A.rows();
  if (system.A.cols() != n)
    throw SettingError(path + ".A", "has " + std::to_string(n) + " rows and " +
                                        std::to_string(system.A.cols()) +
                                        " columns; must be square");
  const auto matrix = [&](bool given, const config::Matrix& one, Eigen::Index rows,
                          Eigen::Index columns, const char* name) -> Eigen::MatrixXd {
    if (given) return composition::make_matrix(one, rows, columns, path + "." + name);
    if (rows * columns > 0 && std::string(name) != "D")
      throw SettingError(path, std::string(name) + " is missing; must be given beside A");
    return Eigen::MatrixXd::Zero(rows, columns);
  };
  // The graph has one force and one velocity. With more ports, each port needs a separate
  // transfer system.
  try {
    system.B = matrix(message.has_b(), message.b(), n, 1, "B");
    system.C = matrix(message.has_c(), message.c(), 1, n, "C");
    system.D = matrix(message.has_d(), message.d(), 1, 1, "D");
  } catch (const SettingError& error) {
    fail("E_VJ_SIZE", error.problems().front().path,
         error.problems().front().what +
             " (a transfer system has one force and one velocity)");
  }
  return system;
}

/// The only effort source.
std::string only_source(const Graph& graph, const std::string& name,
                        const std::string& path) {
  std::vector<std::string> sources;
  for (const Element& element : graph.elements())
    if (element.type == ElementType::kEffortSource) sources.push_back(element.name);
  if (sources.size() != 1)
    fail("E_UNKNOWN", path,
         "the transfer system `" + name + "` has " + std::to_string(sources.size()) +
             " force sources (Se); say with `force` which takes the command");
  return sources.front();
}

}  // namespace

TransferModel transfer_model(const config::GraphTransfer& message,
                             const GraphBuilder::Templates& templates,
                             const ParameterScope& scope, const std::string& path) {
  const bool is_graph = message.components_size() + message.bonds_size() > 0;
  const bool is_numbers =
      !(message.m().empty() && message.c().empty() && message.k().empty());
  const bool is_matrices = message.has_state_space();
  if (is_graph + is_numbers + is_matrices != 1)
    fail("E_PARAM", path,
         "the transfer system `" + message.name() + "` is given in " +
             std::to_string(is_graph + is_numbers + is_matrices) +
             " ways; must be one of: components and bonds; m, c and k; state_space");
  TransferModel model;
  model.name = message.name();
  model.port = message.port();
  model.path = path;
  if (message.has_load()) model.load = message.load();
  if (message.has_delay()) model.delay = message.delay();
  if (is_matrices) {
    model.given = state_space(message.state_space(), path + ".state_space");
    return model;
  }
  model.graph = is_graph ? GraphBuilder(templates, scope)
                               .build(message.components(), message.bonds(), path)
                         : second_order(message, scope, path);
  model.force = message.force().empty() ? only_source(*model.graph, model.name, path)
                                        : message.force();
  model.velocity = message.velocity().empty() ? model.force : message.velocity();
  return model;
}

}  // namespace trestle::bond_graph
