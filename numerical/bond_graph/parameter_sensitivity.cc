#include "numerical/bond_graph/parameter_sensitivity.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/math/dense_eigenvalues.h"
#include "core/math/dense_solve.h"
#include "numerical/bond_graph/analysis.h"
#include "numerical/bond_graph/graph_structure.h"

namespace trestle::bond_graph {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;

const char* const kSource = "sensitivity source";
const char* const kJunction = "sensitivity junction";

/// The nominal motion that enters the derived law, and how the source takes it.
struct OwnTerm {
  bool is_effort;  // of the component's bond; else its flow
  double gain;     // source = gain · that
};

OwnTerm own_term(const Element& element) {
  switch (element.type) {
    case ElementType::kSpring:
      return {true, -1.0 / element.value};  // −q = −e/k
    case ElementType::kInertia:
      return {false, 1.0 / element.value};
    default:
      return {false, -1.0};
  }
}

/// The bond to the element leads to a junction, to which the element and a source are
/// bonded in its place: an effort in series, a flow in parallel. All else keeps its index.
Graph with_source(const Graph& graph, std::size_t element) {
  const bool inertia = graph.element(element).type == ElementType::kInertia;
  Graph made;
  for (const Element& one : graph.elements()) made.add(one);
  const std::size_t junction =
      made.add({.name = kJunction,
                .type = inertia ? ElementType::kZeroJunction : ElementType::kOneJunction});
  const std::size_t source =
      made.add({.name = kSource,
                .type = inertia ? ElementType::kFlowSource : ElementType::kEffortSource});
  for (Bond bond : graph.bonds()) {
    if (bond.head == element) bond.head = junction;
    made.connect(std::move(bond));
  }
  made.connect({.name = "to the component", .tail = junction, .head = element});
  made.connect({.name = "from the source", .tail = source, .head = junction});
  check_structure(made, false);
  return made;
}

/// Of the eigenvalue next to `pole`, by inverse iteration.
VectorXcd eigenvector(const MatrixXd& A, Complex pole, double shift) {
  constexpr int kRounds = 4;
  const Index n = A.rows();
  const MatrixXcd shifted = A.cast<Complex>() - (pole + shift) * MatrixXcd::Identity(n, n);
  VectorXcd v(n);
  for (Index i = 0; i < n; ++i) v[i] = Complex(1.0, 0.5) / static_cast<double>(i + 1);
  for (int round = 0; round < kRounds; ++round) {
    v = math::solve_complex(shifted, v);
    v /= v.norm();
  }
  return v;
}

}  // namespace

bool has_sensitivity(const Element& element) noexcept {
  return (is_storage(element.type) || element.type == ElementType::kResistor) &&
         !element.law;
}

ParameterSensitivity parameter_sensitivity(const Graph& graph,
                                           const std::vector<Signal>& outputs,
                                           std::size_t element) {
  const Element& one = graph.element(element);
  const OwnTerm term = own_term(one);
  std::vector<Signal> nominal_outputs = outputs;
  nominal_outputs.push_back(
      {"own term", graph.ends(element).front().bond, term.is_effort, 1.0});
  const math::StateSpace nominal =
      *make_system(graph, analyse(graph, nominal_outputs), nominal_outputs).linear;
  const Graph derived = with_source(graph, element);
  const GraphSystem system = make_system(derived, analyse(derived, outputs), outputs);
  const auto at = std::find(system.inputs.begin(), system.inputs.end(), kSource);
  const auto source = static_cast<Index>(at - system.inputs.begin());
  const auto y = static_cast<Index>(outputs.size());
  const Eigen::RowVectorXd own_state = term.gain * nominal.C.row(y);
  const Eigen::RowVectorXd own_input = term.gain * nominal.D.row(y);
  const Eigen::VectorXd to_state = system.linear->B.col(source);
  const Eigen::VectorXd to_output = system.linear->D.col(source);
  return {one.name,
          one.value,
          to_state * own_state,
          to_state * own_input,
          to_output * own_state,
          to_output * own_input};
}

std::vector<PoleSensitivity> pole_sensitivities(
    const MatrixXd& A, const std::vector<ParameterSensitivity>& of) {
  constexpr double kAlone = 1e-6;   // distance to the next pole, of the larger one
  constexpr double kShift = 1e-10;  // of the inverse iteration
  const VectorXcd poles = math::eigenvalues(A);
  const double largest = poles.size() > 0 ? poles.cwiseAbs().maxCoeff() : 0.0;
  std::vector<PoleSensitivity> found;
  for (Index i = 0; i < poles.size(); ++i) {
    if (poles[i].imag() < -1e-12 * largest) continue;
    double nearest = std::numeric_limits<double>::infinity();
    for (Index j = 0; j < poles.size(); ++j)
      if (j != i) nearest = std::min(nearest, std::abs(poles[i] - poles[j]));
    PoleSensitivity pole{poles[i], {}};
    if (nearest > kAlone * largest) {
      const double shift = kShift * largest;
      const VectorXcd v = eigenvector(A, poles[i], shift);
      const VectorXcd w = eigenvector(A.transpose(), poles[i], shift);
      const Complex scale = (w.transpose() * v).value();
      for (const ParameterSensitivity& one : of) {
        const VectorXcd moved = one.A.cast<Complex>() * v;
        pole.rates.push_back((w.transpose() * moved).value() / scale);
      }
    } else {
      pole.rates.assign(of.size(), {std::numeric_limits<double>::quiet_NaN(),
                                    std::numeric_limits<double>::quiet_NaN()});
    }
    found.push_back(std::move(pole));
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return std::abs(a.pole) < std::abs(b.pole);
  });
  return found;
}

}  // namespace trestle::bond_graph
