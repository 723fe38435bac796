#pragma once

#include <Eigen/Core>
#include <complex>
#include <cstddef>
#include <string>
#include <vector>

#include "numerical/bond_graph/graph.h"
#include "numerical/bond_graph/junction_structure.h"

namespace trestle::bond_graph {

/// The derivatives of a linear graph's system x' = A x + B u, y = C x + D u by the number
/// of one component: m of an inertia, k of a spring, c of a damper.
struct ParameterSensitivity {
  std::string component;
  double value = 0.0;
  Eigen::MatrixXd A;  // NOLINT(readability-identifier-naming): the symbols of the field
  Eigen::MatrixXd B;  // NOLINT(readability-identifier-naming)
  Eigen::MatrixXd C;  // NOLINT(readability-identifier-naming)
  Eigen::MatrixXd D;  // NOLINT(readability-identifier-naming)
};

/// Whether the element has a number by which parameter_sensitivity() can derive.
bool has_sensitivity(const Element& element) noexcept;

/// By the sensitivity bond graph of Gawthrop (2000), J. Franklin Inst. 337, 907-922 (from
/// memory): derived by the number of one component, the law of every other component is
/// itself, and its own has a term of the nominal motion beside it,
///
///   e = k·q:  ∂e/∂k = k·∂q/∂k + q,   f = p/m:  ∂f/∂m = (∂p/∂m)/m − f/m,
///   e = c·f:  ∂e/∂c = c·∂f/∂c + f.
///
/// So it is the same graph with one source beside that component, an effort −q or −f in
/// series or a flow f/m in parallel, driven by the nominal graph: no step size, and no
/// derivative but these. States are momenta and displacements, as the graph has them.
///
/// @param element  index, with has_sensitivity()
/// @pre !graph.has_laws(), and the graph has been checked
/// @throws SettingError as make_system(), [E_INPUT_DERIVATIVE] where the component has no
///         separate state and the source would have to be differentiated
ParameterSensitivity parameter_sensitivity(const Graph& graph,
                                           const std::vector<Signal>& outputs,
                                           std::size_t element);

/// A pole, and how it moves with each number: dλ/dθ = wᵀ(∂A/∂θ)v/(wᵀv) with its right and
/// left eigenvectors v and w.
struct PoleSensitivity {
  std::complex<double> pole;                ///< λ [1/s], imaginary part not below zero
  std::vector<std::complex<double>> rates;  ///< dλ/dθ; no numbers where λ is not alone
};

/// @param of  of one graph with the state matrix A
/// @returns the slowest first
std::vector<PoleSensitivity> pole_sensitivities(
    const Eigen::MatrixXd& A, const std::vector<ParameterSensitivity>& of);

}  // namespace trestle::bond_graph
