#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "numerical/bond_graph/causality.h"
#include "numerical/bond_graph/graph.h"

namespace trestle::bond_graph {

/// What a graph is asked for: sign times the effort or the flow of a bond.
struct Signal {
  std::string name;
  std::size_t bond = 0;
  bool is_effort = false;
  double sign = 1.0;
};

/// The junctions, transformers and gyrators as one constant matrix between the elements:
///
///     in = S out,   in  = [x' | z_d | r_in | y],   out = [z | d | r | u]
///
/// z: outputs of storages in integral form, x' what they integrate; d: rates that storages
/// in derivative form impose, z_d what prescribes them; r, r_in: of dampers; u: of ports,
/// then sources; y: the signals asked for. Entries are 0, ±1 and moduli of TF and GY.
struct JunctionStructure {
  /// The rows of S for one part of `in`, in columns for each part of `out`.
  struct Rows {
    Eigen::MatrixXd z, d, r, u;
  };

  Rows x;  ///< x'
  Rows d;  ///< z_d
  Rows r;  ///< r_in
  Rows y;
  std::vector<std::size_t> integral;    ///< elements, in element order
  std::vector<std::size_t> derivative;  ///< elements
  std::vector<std::size_t> resistors;   ///< elements
  std::vector<bool> receives_effort;    ///< per resistor
  std::vector<std::size_t> inputs;      ///< elements: ports, then sources
};

/// @throws SettingError [E_JUNCTION_LOOP] where junctions alone make a loop of gain one
JunctionStructure junction_structure(const Graph& graph, const Causality& causality,
                                     const std::vector<Signal>& outputs);

}  // namespace trestle::bond_graph
