#include "numerical/bond_graph/augmentation.h"

#include <memory>

#include "core/base/setting_checks.h"
#include "core/math/dense_solve.h"
#include "numerical/bond_graph/augmented_right_hand_side.h"
#include "numerical/bond_graph/causal_path.h"
#include "numerical/bond_graph/fault.h"
#include "numerical/bond_graph/imposed_flow.h"
#include "numerical/bond_graph/linear_right_hand_side.h"
#include "numerical/bond_graph/properness_checks.h"
#include "numerical/bond_graph/transfer_system_set.h"
#include "numerical/bond_graph/virtual_junction.h"

namespace trestle::bond_graph {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// [F_T; v_N; z], with states that integrate v_N where eta does not hold z.
math::StateSpace with_motions(const math::StateSpace& command,
                              const math::StateSpace& numerical, Index ports,
                              const MatrixXd& displacement) {
  const Index n = numerical.states();
  const Index before = command.states();
  const Index more = displacement.rows() == 0 ? ports : 0;
  math::StateSpace all;
  all.A = MatrixXd::Zero(before + more, before + more);
  all.A.topLeftCorner(before, before) = command.A;
  all.B = MatrixXd::Zero(before + more, command.inputs());
  all.B.topRows(before) = command.B;
  all.C = MatrixXd::Zero(3 * ports, before + more);
  all.C.topLeftCorner(ports, before) = command.C;
  all.C.block(ports, 0, ports, n) = numerical.C.topRows(ports);
  all.D = MatrixXd::Zero(3 * ports, command.inputs());
  all.D.topRows(ports) = command.D;
  all.D.middleRows(ports, ports) = numerical.D.topRows(ports);
  if (more > 0) {
    all.A.block(before, 0, ports, n) = numerical.C.topRows(ports);
    all.B.bottomRows(ports) = numerical.D.topRows(ports);
    all.C.bottomRightCorner(ports, ports).setIdentity();
  } else {
    all.C.block(2 * ports, n, ports, displacement.cols()) = displacement;
  }
  return all;
}

void check_by_imposed_flow(const std::vector<const TransferModel*>& transfers,
                           const math::StateSpace& numerical,
                           const math::StateSpace& augmented, const VectorXd& load,
                           const std::string& path) {
  std::vector<LinearGraph> forms;
  for (const TransferModel* transfer : transfers) {
    auto form = imposed_flow(*transfer);
    if (!form) return;
    forms.push_back(std::move(*form));
  }
  const double difference =
      worst_difference(augmented, augmented_by_imposed_flow(numerical, forms, load));
  if (!(difference < 1e-9))
    fail("E_VJ_ROUTES", path,
         "the two ways of making the virtual junction differ by " + in_words(difference) +
             " of its size; the numbers of the model are too far apart for double "
             "precision: check their units");
}

MatrixXd start_of(const MatrixXd& displacement) {
  const MatrixXd square = displacement * displacement.transpose();
  return displacement.transpose() * math::inverse(square);
}

JunctionLabels names_of(const GraphModel& model, const GraphCut& cut,
                        const GraphSystem& numerical,
                        const std::vector<const TransferModel*>& transfers) {
  JunctionLabels names;
  for (const InterfacePort& port : cut.ports) names.ports.push_back(port.bond);
  names.inputs = numerical.inputs;
  for (const TransferModel* transfer : transfers) {
    names.transfers.push_back(transfer->name);
    names.transfer_paths.push_back(transfer->path);
  }
  names.path = model.transfer_path;
  return names;
}

void name_all(AugmentedSubstructure& result, const GraphSystem& numerical) {
  GraphSystem& system = result.system;
  system.inputs = numerical.inputs;
  system.states = numerical.states;
  const auto ports = result.ports.size();
  const auto inner = static_cast<std::size_t>(result.transfer_states);
  for (std::size_t i = 0; i < inner; ++i)
    system.states.push_back(inner == ports ? result.transfers[i].name + ".eta"
                                           : "eta" + std::to_string(i + 1));
  if (system.states.size() < static_cast<std::size_t>(system.right_hand_side->states()))
    for (const InterfacePort& port : result.ports)
      system.states.push_back(port.bond + ".z");
  for (const InterfacePort& port : result.ports)
    system.outputs.push_back(port.bond + ".command");
  for (const InterfacePort& port : result.ports)
    system.outputs.push_back(port.bond + ".velocity");
  for (const InterfacePort& port : result.ports)
    system.outputs.push_back(port.bond + ".displacement");
}

/// The transfer systems that are put before the ports of the numerical part.
struct Augmenting {
  const TransferSystemSet& bank;
  const TransferInverse& inverse;
  const JunctionLabels& names;
  const MatrixXd& displacement;
};

void make_linear(const Augmenting& by, const math::StateSpace& numerical,
                 AugmentedSubstructure& result, std::vector<Diagnostic>& notes) {
  const auto& [bank, inverse, names, displacement] = by;
  const Index ports = bank.load.size();
  const math::StateSpace command = augmented(numerical, inverse, bank.load, names);
  check_by_imposed_flow(bank.models, numerical, command, bank.load, names.path);
  report_large_gains(command, names, notes);
  result.numerical_degrees = port_degrees(numerical, ports);
  result.system.linear = with_motions(command, numerical, ports, displacement);
  result.system.right_hand_side =
      std::make_unique<LinearRightHandSide>(*result.system.linear);
}

void make_nonlinear(const Augmenting& by, const Graph& numerical,
                    const JunctionStructure& S, AugmentedSubstructure& result) {
  const auto& [bank, inverse, names, displacement] = by;
  check_properness(S, inverse, names);
  for (Index i = 0; i < bank.load.size(); ++i)
    result.numerical_degrees.push_back(shortest_path(S, i, i).value_or(-1));
  result.system.right_hand_side = std::make_unique<AugmentedRightHandSide>(
      std::make_unique<GraphRightHandSide>(numerical, S, true), inverse, bank.load,
      displacement);
}

}  // namespace

AugmentedSubstructure augment(const GraphModel& model, const GraphCut& cut,
                              const Analysis& analysis, const GraphSystem& numerical,
                              std::vector<Diagnostic>& notes) {
  const TransferSystemSet bank = transfer_bank(model, cut);
  const Index ports = bank.load.size();
  const JunctionLabels names = names_of(model, cut, numerical, bank.models);
  const TransferInverse inverse = invert(bank.system, names);
  const MatrixXd inner_displacement = displacement_of(inverse);
  AugmentedSubstructure result;
  result.ports = cut.ports;
  result.transfers = bank.transfers;
  result.transfer_model = bank.system;
  const Augmenting by{bank, inverse, names, inner_displacement};
  if (numerical.linear)
    make_linear(by, *numerical.linear, result, notes);
  else
    make_nonlinear(by, cut.numerical, analysis.structure, result);
  report_marginal_zeros(inverse, notes);
  result.numerical_states = static_cast<Index>(numerical.states.size());
  result.transfer_states = inverse.Q.rows();
  result.transfer_degrees = inverse.degrees;
  result.zeros = inverse.zeros;
  result.displacement = MatrixXd::Zero(ports, result.system.right_hand_side->states());
  if (inner_displacement.rows() == 0)
    result.displacement.rightCols(ports).setIdentity();
  else
    result.displacement.middleCols(result.numerical_states, result.transfer_states) =
        inner_displacement;
  result.start = start_of(result.displacement);
  result.system.initial = VectorXd::Zero(result.start.rows());
  result.system.initial.head(numerical.initial.size()) = numerical.initial;
  name_all(result, numerical);
  return result;
}

}  // namespace trestle::bond_graph
