#include "numerical/bond_graph/transfer_system_set.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/nearest_name.h"
#include "core/math/dense_solve.h"
#include "numerical/bond_graph/fault.h"
#include "numerical/bond_graph/imposed_flow.h"

namespace trestle::bond_graph {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// The transfer systems in port order.
std::vector<const TransferModel*> in_port_order(const GraphModel& model,
                                                const GraphCut& cut) {
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
               suggest(transfer.port, bonds));
    put(transfer, static_cast<std::size_t>(at - bonds.begin()));
  }
  for (const TransferModel& transfer : model.transfers)
    if (transfer.port.empty())
      put(transfer, static_cast<std::size_t>(
                        std::find(order.begin(), order.end(), nullptr) - order.begin()));
  return order;
}

math::StateSpace block_diagonal(const std::vector<math::StateSpace>& systems) {
  Index n = 0;
  Index inputs = 0;
  Index outputs = 0;
  for (const math::StateSpace& one : systems) {
    n += one.states();
    inputs += one.inputs();
    outputs += one.outputs();
  }
  math::StateSpace all{MatrixXd::Zero(n, n), MatrixXd::Zero(n, inputs),
                       MatrixXd::Zero(outputs, n), MatrixXd::Zero(outputs, inputs)};
  n = inputs = outputs = 0;
  for (const math::StateSpace& one : systems) {
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
double static_stiffness(const math::StateSpace& T) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  if (T.states() == 0) return none;
  const auto once = math::solve_if_regular(T.A, T.B, 1e-14);
  if (!once) return none;
  const double creep = (T.D - T.C * *once)(0, 0);
  const double compliance = -(T.C * math::solved(T.A, *once))(0, 0);
  if (!(compliance > 0.0) ||
      std::abs(creep) > 1e-9 * (T.C.cwiseAbs() * once->cwiseAbs())(0, 0))
    return none;
  return 1.0 / compliance;
}

/// m_t and c_t of T = s / (m s² + c s + k), whatever its states are: C B = 1/m, and the
/// trace of A is −c/m. A T with stiffness has its zero at the origin.
void set_mass_and_damping(const math::StateSpace& T, TransferSystemInfo& transfer) {
  if (T.states() != 2 || !T.D.isZero(0.0) || !(transfer.stiffness > 0.0)) return;
  const double mobility = (T.C * T.B)(0, 0);
  if (!(mobility > 0.0)) return;
  transfer.mass = 1.0 / mobility;
  transfer.damping = -T.A.trace() * transfer.mass;
}

void check_one_by_one(const math::StateSpace& system, const TransferModel& model) {
  if (system.inputs() == 1 && system.outputs() == 1) return;
  fail("E_VJ_SIZE", model.path,
       "the transfer system `" + model.name + "` has " + std::to_string(system.inputs()) +
           " inputs and " + std::to_string(system.outputs()) +
           " outputs; that of one port has one force and one velocity");
}

}  // namespace

TransferSystemSet transfer_bank(const GraphModel& model, const GraphCut& cut) {
  TransferSystemSet bank;
  bank.models = in_port_order(model, cut);
  bank.load.resize(static_cast<Index>(bank.models.size()));
  std::vector<math::StateSpace> systems;
  for (const TransferModel* one : bank.models) {
    bank.load(static_cast<Index>(systems.size())) = one->load;
    systems.push_back(transfer_system(*one));
    check_one_by_one(systems.back(), *one);
    bank.transfers.push_back({.name = one->name,
                              .stiffness = static_stiffness(systems.back()),
                              .load = one->load,
                              .delay = one->delay});
    set_mass_and_damping(systems.back(), bank.transfers.back());
  }
  bank.system = block_diagonal(systems);
  return bank;
}

}  // namespace trestle::bond_graph
