#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/math/state_space.h"
#include "numerical/bond_graph/graph.h"

namespace trestle::bond_graph {

/// Model of one transfer system (actuator with its inner controller): from the force that
/// it is commanded to the velocity of its end, without specimen.
struct TransferModel {
  std::string name;
  std::string port;  ///< name of the cut bond; empty: by order

  std::optional<Graph> graph;  ///< empty: `given` applies
  std::string force;           ///< the effort source in the graph that takes the command
  std::string velocity;        ///< the component whose flow is the velocity; often the same
  math::StateSpace given;

  double load = 1.0;   ///< beta_hat
  double delay = 0.0;  ///< [s]
  std::string path;    ///< of its setting, for errors
};

/// A requested output of the file: a component's effort or flow.
struct RequestedOutput {
  bool is_effort = false;
  std::string component;
  std::string path;
};

/// A model file, templates written out.
struct GraphModel {
  std::string name;
  Graph graph;                 ///< of the whole structure; checked
  std::vector<bool> physical;  ///< per element: exists as hardware
  bool has_partition = false;  ///< the file says what is hardware
  std::vector<TransferModel> transfers;
  std::vector<RequestedOutput> outputs;
  std::string physical_path;  ///< of the settings, for errors
  std::string transfer_path;
};

}  // namespace trestle::bond_graph
