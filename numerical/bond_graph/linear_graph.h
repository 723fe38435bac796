#pragma once

#include <Eigen/Core>

#include "core/math/state_space.h"
#include "numerical/bond_graph/graph.h"
#include "numerical/bond_graph/junction_structure.h"

namespace trestle::bond_graph {

/// A linear graph as x' = A x + B u, y = C x + D u + rate u'. States are those of the
/// storages in integral form: momentum p of an inertia, displacement q of a spring.
struct LinearGraph {
  math::StateSpace system;
  Eigen::MatrixXd rate;  ///< outputs × inputs
};

/// Eliminates dampers and storages in derivative form.
///
/// Where a storage in derivative form is prescribed by an input, the state is shifted by a
/// multiple of the input, so that u' reaches the outputs alone.
/// @pre !graph.has_laws()
/// @throws SettingError [E_ALGEBRAIC_SINGULAR] if dampers make a loop of gain one,
///         [E_INDEX] where dependent storages prescribe each other
LinearGraph linearise_graph(const Graph& graph, const JunctionStructure& S);

/// @throws SettingError [E_INPUT_DERIVATIVE] if an input would have to be differentiated
void refuse_input_rates(const Graph& graph, const JunctionStructure& S);

}  // namespace trestle::bond_graph
