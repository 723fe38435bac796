#include "numerical/bond_graph/junction_structure.h"

#include <cmath>
#include <set>

#include "core/math/dense_solve.h"
#include "numerical/bond_graph/dependency_order.h"
#include "numerical/bond_graph/fault.h"

namespace trestle::bond_graph {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

Index at(std::size_t index) {
  return static_cast<Index>(index);
}

/// Bond variables stand in one vector w: effort of bond b at 2b, its flow at 2b + 1.
Index variable(std::size_t bond, bool effort) {
  return at(2 * bond) + (effort ? 0 : 1);
}

double direction(const BondEnd& end) {
  return end.is_head ? 1.0 : -1.0;
}

/// w = J w + K out, one row from each end of each bond.
class Assignments {
 public:
  Assignments(const Graph& graph, const Causality& causality,
              const JunctionStructure& lists)
      : graph_(graph), causality_(causality) {
    const Index variables = at(2 * graph.bonds().size());
    const auto columns = lists.integral.size() + lists.derivative.size() +
                         lists.resistors.size() + lists.inputs.size();
    J = MatrixXd::Zero(variables, variables);
    K = MatrixXd::Zero(variables, at(columns));
    owner.resize(static_cast<std::size_t>(variables));
    Index column = 0;
    for (const auto* list :
         {&lists.integral, &lists.derivative, &lists.resistors, &lists.inputs})
      for (const std::size_t element : *list) add_one_port(element, column++);
    for (std::size_t i = 0; i < graph.elements().size(); ++i) add_inner(i);
  }

  MatrixXd J;                      // NOLINT(readability-identifier-naming)
  MatrixXd K;                      // NOLINT(readability-identifier-naming)
  std::vector<std::size_t> owner;  // per variable: the element that assigns it

 private:
  /// The variable that this element assigns at this end.
  Index given(const BondEnd& end) const {
    return variable(end.bond, !causality_.receives_effort(end));
  }

  void add_one_port(std::size_t element, Index column) {
    const Element& one = graph_.element(element);
    const BondEnd& end = graph_.ends(element).front();
    K(given(end), column) = one.type == ElementType::kPort ? one.sign : 1.0;
  }

  void add_inner(std::size_t element) {
    for (const BondEnd& end : graph_.ends(element))
      owner[static_cast<std::size_t>(given(end))] = element;
    if (is_junction(graph_.element(element).type)) add_junction(element);
    if (graph_.element(element).type == ElementType::kTransformer) add_transformer(element);
    if (graph_.element(element).type == ElementType::kGyrator) add_gyrator(element);
  }

  void add_junction(std::size_t element) {
    const bool zero = graph_.element(element).type == ElementType::kZeroJunction;
    const std::vector<BondEnd>& ends = graph_.ends(element);
    const BondEnd* strong = nullptr;
    for (const BondEnd& end : ends)
      if (causality_.receives_effort(end) == zero) strong = &end;
    for (const BondEnd& end : ends) {
      if (&end == strong) continue;
      // The common variable, and the sum of the other.
      J(variable(end.bond, zero), variable(strong->bond, zero)) = 1.0;
      J(variable(strong->bond, !zero), variable(end.bond, !zero)) =
          -direction(*strong) * direction(end);
    }
  }

  // e1 = n e2, f2 = n f1, with side 1 pointing in and side 2 pointing out; a bond that is
  // turned changes the sign of its flow.
  void add_transformer(std::size_t element) {
    const double n = graph_.element(element).value;
    const BondEnd& one = graph_.side(element, 1);
    const BondEnd& two = graph_.side(element, 2);
    const double sign = direction(one) * -direction(two);
    if (causality_.receives_effort(two)) {
      J(variable(one.bond, true), variable(two.bond, true)) = n;
      J(variable(two.bond, false), variable(one.bond, false)) = sign * n;
    } else {
      J(variable(two.bond, true), variable(one.bond, true)) = 1.0 / n;
      J(variable(one.bond, false), variable(two.bond, false)) = sign / n;
    }
  }

  // e1 = r f2, e2 = r f1, sides as above.
  void add_gyrator(std::size_t element) {
    const double r = graph_.element(element).value;
    const BondEnd& one = graph_.side(element, 1);
    const BondEnd& two = graph_.side(element, 2);
    const double in = direction(one);
    const double out = -direction(two);
    if (causality_.receives_effort(two)) {
      J(variable(one.bond, false), variable(two.bond, true)) = in / r;
      J(variable(two.bond, false), variable(one.bond, true)) = out / r;
    } else {
      J(variable(one.bond, true), variable(two.bond, false)) = out * r;
      J(variable(two.bond, true), variable(one.bond, false)) = in * r;
    }
  }

  const Graph& graph_;
  const Causality& causality_;
};

void list_elements(const Graph& graph, const Causality& causality,
                   JunctionStructure& lists) {
  lists.integral = causality.integral;
  lists.derivative = causality.derivative;
  for (std::size_t i = 0; i < graph.elements().size(); ++i) {
    if (graph.element(i).type == ElementType::kPort) lists.inputs.push_back(i);
    if (graph.element(i).type != ElementType::kResistor) continue;
    lists.resistors.push_back(i);
    lists.receives_effort.push_back(causality.receives_effort(graph.ends(i).front()));
  }
  for (std::size_t i = 0; i < graph.elements().size(); ++i)
    if (is_source(graph.element(i).type)) lists.inputs.push_back(i);
}

/// All bond variables from out.
MatrixXd solve(const Graph& graph, const Assignments& assignments) {
  const Index n = assignments.J.rows();
  auto w = math::solve_if_regular(MatrixXd::Identity(n, n) - assignments.J, assignments.K,
                                  1e-12);
  if (!w) {
    std::set<std::string> names;
    std::size_t first = graph.elements().size();
    for (const Index row : cyclic_rows(assignments.J)) {
      const std::size_t element = assignments.owner[static_cast<std::size_t>(row)];
      if (names.insert(graph.element(element).name).second)
        first = std::min(first, element);
    }
    fail(
        "E_JUNCTION_LOOP", graph.element(first).path,
        "the junctions " + quoted({names.begin(), names.end()}) +
            " are joined in a ring in which nothing decides the forces or velocities; take "
            "out one of the bonds of the ring, or put a spring, a mass or a damper into "
            "it");
  }
  // Sums of ±1 and moduli: what elimination left beside a whole number is round-off.
  return w->unaryExpr([](double value) {
    const double whole = std::round(value);
    return std::abs(value - whole) < 1e-13 ? whole + 0.0 : value;
  });
}

}  // namespace

JunctionStructure junction_structure(const Graph& graph, const Causality& causality,
                                     const std::vector<Signal>& outputs) {
  JunctionStructure S;
  list_elements(graph, causality, S);
  const MatrixXd w = solve(graph, Assignments(graph, causality, S));
  const Index nz = at(S.integral.size());
  const Index nd = at(S.derivative.size());
  const Index nr = at(S.resistors.size());
  const Index nu = at(S.inputs.size());
  const auto rows_of = [&](const std::vector<std::size_t>& elements) {
    MatrixXd rows(at(elements.size()), w.cols());
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const BondEnd& end = graph.ends(elements[i]).front();
      rows.row(at(i)) = w.row(variable(end.bond, causality.receives_effort(end)));
    }
    return rows;
  };
  const auto split = [&](const MatrixXd& rows) {
    return JunctionStructure::Rows{rows.leftCols(nz), rows.middleCols(nz, nd),
                                   rows.middleCols(nz + nd, nr), rows.rightCols(nu)};
  };
  S.x = split(rows_of(S.integral));
  S.d = split(rows_of(S.derivative));
  S.r = split(rows_of(S.resistors));
  MatrixXd y(at(outputs.size()), w.cols());
  for (std::size_t i = 0; i < outputs.size(); ++i)
    y.row(at(i)) = outputs[i].sign * w.row(variable(outputs[i].bond, outputs[i].is_effort));
  S.y = split(y);
  return S;
}

}  // namespace trestle::bond_graph
