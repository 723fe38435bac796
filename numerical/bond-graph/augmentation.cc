#include "numerical/bond-graph/augmentation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "core/linear/dense_solve.h"
#include "core/mechanics/nearest_name.h"
#include "core/mechanics/setting_check.h"
#include "core/mechanics/setting_problems.h"
#include "numerical/bond-graph/augmented_right_hand_side.h"
#include "numerical/bond-graph/causal_path.h"
#include "numerical/bond-graph/fault.h"
#include "numerical/bond-graph/imposed_flow.h"
#include "numerical/bond-graph/linear_right_hand_side.h"
#include "numerical/bond-graph/virtual_junction.h"

namespace trestle::bond_graph {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The transfer systems in port order.
std::vector<const TransferModel*> in_port_order(const GraphModel& model, const Cut& cut) {
  std::vector<std::string> bonds;
  for (const InterfacePort& port : cut.ports) bonds.push_back(port.bond);
  if (model.transfers.size() != bonds.size())
    fail("E_VJ_SIZE", model.transfer_path,
         "there are " + std::to_string(model.transfers.size()) + " transfer systems for " +
             std::to_string(bonds.size()) + (bonds.size() == 1 ? " port (" : " ports (") +
             quoted(bonds) + "); each bond between model and hardware needs one");
  std::vector<const TransferModel*> order(bonds.size(), nullptr);
  const auto put = [&](const TransferModel& transfer, std::size_t port) {
    if (order[port] != nullptr)
      fail("E_VJ_SIZE", transfer.path,
           "the port `" + bonds[port] + "` has the transfer system `" + order[port]->name +
               "` already; each has one");
    order[port] = &transfer;
  };
  for (const TransferModel& transfer : model.transfers) {
    if (transfer.port.empty()) continue;
    const auto at = std::find(bonds.begin(), bonds.end(), transfer.port);
    if (at == bonds.end())
      fail("E_UNKNOWN", transfer.path,
           "there is no port `" + transfer.port + "`; the cut has " + quoted(bonds) +
               did_you_mean(transfer.port, bonds));
    put(transfer, static_cast<std::size_t>(at - bonds.begin()));
  }
  for (const TransferModel& transfer : model.transfers)
    if (transfer.port.empty())
      put(transfer, static_cast<std::size_t>(
                        std::find(order.begin(), order.end(), nullptr) - order.begin()));
  return order;
}

StateSpace block_diagonal(const std::vector<StateSpace>& systems) {
  Index n = 0;
  Index inputs = 0;
  Index outputs = 0;
  for (const StateSpace& one : systems) {
    n += one.states();
    inputs += one.inputs();
    outputs += one.outputs();
  }
  StateSpace all{MatrixXd::Zero(n, n), MatrixXd::Zero(n, inputs),
                 MatrixXd::Zero(outputs, n), MatrixXd::Zero(outputs, inputs)};
  n = inputs = outputs = 0;
  for (const StateSpace& one : systems) {
    all.A.block(n, n, one.states(), one.states()) = one.A;
    all.B.block(n, inputs, one.states(), one.inputs()) = one.B;
    all.C.block(outputs, n, one.outputs(), one.states()) = one.C;
    all.D.block(outputs, inputs, one.outputs(), one.inputs()) = one.D;
    n += one.states();
    inputs += one.inputs();
    outputs += one.outputs();
  }
  return all;
}

/// T(s)/s at s = 0 is the motion per force at rest.
double static_stiffness(const StateSpace& T) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  if (T.states() == 0) return none;
  const auto once = solved_if_regular(T.A, T.B, 1e-14);
  if (!once) return none;
  const double creep = (T.D - T.C * *once)(0, 0);
  const double compliance = -(T.C * solved(T.A, *once))(0, 0);
  if (!(compliance > 0.0) ||
      std::abs(creep) > 1e-9 * (T.C.cwiseAbs() * once->cwiseAbs())(0, 0))
    return none;
  return 1.0 / compliance;
}

/// [F_T; v_N; z], with states that integrate v_N where eta does not hold z.
StateSpace with_motions(const StateSpace& command, const StateSpace& numerical, Index ports,
                        const MatrixXd& displacement) {
  const Index n = numerical.states();
  const Index before = command.states();
  const Index more = displacement.rows() == 0 ? ports : 0;
  StateSpace all;
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
                           const StateSpace& numerical, const StateSpace& augmented,
                           const VectorXd& load, const std::string& path) {
  std::vector<LinearForm> forms;
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

/// Structural properness, where Markov parameters are not to be had.
void check_paths(const JunctionStructure& S, const TransferInverse& inverse,
                 const JunctionNames& names) {
  for (std::size_t i = 0; i < names.ports.size(); ++i) {
    const int degree = inverse.degrees[i];
    for (Index j = 0; j < S.yu.cols(); ++j) {
      const auto path = shortest_path(S, j, static_cast<Index>(i));
      const bool through_follower =
          degree > 0 && (!S.yd.row(static_cast<Index>(i)).isZero(0.0) || !S.rd.isZero(0.0));
      if (degree <= 1 && !through_follower && (!path || *path >= degree)) continue;
      fail("E_VJ_IMPROPER", names.transfer_paths[i],
           "at port `" + names.ports[i] + "` the transfer system `" + names.transfers[i] +
               "` has degree " + std::to_string(degree) + ", but the input `" +
               names.inputs[static_cast<std::size_t>(j)] +
               "` reaches the velocity with degree " +
               (path ? std::to_string(*path) : "none") +
               "; in a model with laws that are not linear the degree of a transfer system "
               "is "
               "at most 1 and that of the inputs no less: put a mass at the port");
    }
  }
}

void note_zeros(const TransferInverse& inverse, std::vector<Diagnostic>& notes) {
  const double axis = kZeroOnAxis * (1.0 + inverse.Q.norm());
  const auto on_axis =
      std::count_if(inverse.zeros.begin(), inverse.zeros.end(),
                    [&](const auto& zero) { return std::abs(zero.real()) <= axis; });
  if (on_axis > 0)
    notes.push_back(
        {"W_VJ_MARGINAL",
         std::to_string(on_axis) + (on_axis == 1 ? " zero" : " zeros") +
             " of the transfer systems on the imaginary axis (a position, the "
             "integral of the velocity): begin at the true position, and expect "
             "a constant error of the velocity to drift",
         {}});
}

void note_gains(const StateSpace& system, const JunctionNames& names,
                std::vector<Diagnostic>& notes) {
  for (std::size_t i = 0; i < names.ports.size(); ++i) {
    const auto port = static_cast<Index>(i);
    for (Index j = 0; j < static_cast<Index>(names.ports.size()); ++j)
      if (std::abs(system.D(port, j)) > 1.0 + 1e-12)
        notes.push_back(
            {"W_VJ_GAIN",
             "at port `" + names.ports[i] + "` the measured force `" +
                 names.inputs[static_cast<std::size_t>(j)] +
                 "` enters the command with gain " + in_words(system.D(port, j)) +
                 ", above 1 in size: its noise and delay are amplified; make the "
                 "model's mass at the port at least half of the transfer system's",
             {names.ports[i]}});
  }
}

MatrixXd start_of(const MatrixXd& displacement) {
  const MatrixXd square = displacement * displacement.transpose();
  return displacement.transpose() * inverse(square);
}

JunctionNames names_of(const GraphModel& model, const Cut& cut,
                       const GraphSystem& numerical,
                       const std::vector<const TransferModel*>& transfers) {
  JunctionNames names;
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

}  // namespace

AugmentedSubstructure augment(const GraphModel& model, const Cut& cut,
                              const Analysis& analysis, const GraphSystem& numerical,
                              std::vector<Diagnostic>& notes) {
  const auto transfers = in_port_order(model, cut);
  const auto ports = static_cast<Index>(transfers.size());
  const JunctionNames names = names_of(model, cut, numerical, transfers);
  std::vector<StateSpace> systems;
  VectorXd load(ports);
  AugmentedSubstructure result;
  result.ports = cut.ports;
  for (const TransferModel* transfer : transfers) {
    load(static_cast<Index>(systems.size())) = transfer->load;
    systems.push_back(transfer_system(*transfer));
    if (systems.back().inputs() != 1 || systems.back().outputs() != 1)
      fail("E_VJ_SIZE", transfer->path,
           "the transfer system `" + transfer->name + "` has " +
               std::to_string(systems.back().inputs()) + " inputs and " +
               std::to_string(systems.back().outputs()) +
               " outputs; that of one port has one force and one velocity");
    result.transfers.push_back({.name = transfer->name,
                                .stiffness = static_stiffness(systems.back()),
                                .load = transfer->load,
                                .delay = transfer->delay});
  }
  result.transfer_model = block_diagonal(systems);
  const TransferInverse inverse = invert(result.transfer_model, names);
  MatrixXd inner_displacement = displacement_of(inverse);
  if (numerical.linear) {
    const StateSpace command = augmented(*numerical.linear, inverse, load, names);
    check_by_imposed_flow(transfers, *numerical.linear, command, load, model.transfer_path);
    note_gains(command, names, notes);
    result.numerical_degrees = port_degrees(*numerical.linear, ports);
    result.system.linear =
        with_motions(command, *numerical.linear, ports, inner_displacement);
    result.system.right_hand_side =
        std::make_unique<LinearRightHandSide>(*result.system.linear);
  } else {
    check_paths(analysis.structure, inverse, names);
    for (Index i = 0; i < ports; ++i)
      result.numerical_degrees.push_back(
          shortest_path(analysis.structure, i, i).value_or(-1));
    result.system.right_hand_side = std::make_unique<AugmentedRightHandSide>(
        std::make_unique<GraphRightHandSide>(cut.numerical, analysis.structure, true),
        inverse, load, inner_displacement);
  }
  result.numerical_states = static_cast<Index>(numerical.states.size());
  result.transfer_states = inverse.Q.rows();
  result.transfer_degrees = inverse.degrees;
  result.zeros = inverse.zeros;
  note_zeros(inverse, notes);
  const Index states = result.system.right_hand_side->states();
  result.displacement = MatrixXd::Zero(ports, states);
  if (inner_displacement.rows() == 0)
    result.displacement.rightCols(ports).setIdentity();
  else
    result.displacement.middleCols(result.numerical_states, result.transfer_states) =
        inner_displacement;
  result.start = start_of(result.displacement);
  name_all(result, numerical);
  return result;
}

}  // namespace trestle::bond_graph
