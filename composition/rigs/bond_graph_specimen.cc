#include "composition/rigs/bond_graph_specimen.h"

#include <utility>

#include "composition/numerical/bond_graph/bond_graph_file.h"
#include "core/base/setting_error.h"
#include "proto/config/rig.pb.h"

namespace trestle::composition {

using Eigen::Index;
using Eigen::VectorXd;

BondGraphSpecimen::BondGraphSpecimen(bond_graph::Substructuring model)
    : model_(std::move(model)),
      system_(*model_.physical.right_hand_side),
      ports_(static_cast<Index>(model_.augmented.ports.size())),
      input_(VectorXd::Zero(system_.inputs())),
      output_(VectorXd::Zero(system_.outputs())) {}

bool BondGraphSpecimen::evaluate(const VectorXd& x, const VectorXd& /*displacement*/,
                                 const VectorXd& velocity, VectorXd& rate,
                                 VectorXd& force) noexcept {
  input_.head(ports_) = velocity;
  if (!system_.evaluate(x, input_, rate, output_)) return false;
  force = output_.head(ports_);
  return true;
}

bool BondGraphSpecimen::begin(VectorXd& x) const noexcept {
  if (!model_.physical.starts_moved()) return false;
  x = model_.physical.initial;
  return true;
}

GraphSide graph_side_of(const config::Rig& rig, const std::string& path) {
  if (!rig.specimen().has_bond_graph()) return {};
  if (rig.transfer_systems().empty())
    throw SettingError(path + ".specimen",
                       "a bond graph is moved by transfer_systems; give the rig one for "
                       "each of its ports");
  GraphSide side;
  bond_graph::Substructuring model =
      bond_graph::read_substructuring(rig.specimen().bond_graph().file());
  for (const bond_graph::InterfacePort& port : model.augmented.ports)
    side.ports.push_back(port.bond);
  side.specimen = std::make_unique<BondGraphSpecimen>(std::move(model));
  return side;
}

}  // namespace trestle::composition
