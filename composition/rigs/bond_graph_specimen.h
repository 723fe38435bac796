#pragma once

#include <memory>
#include <string>

#include "composition/rigs/loaded_rig_factory.h"
#include "numerical/bond_graph/substructuring.h"

namespace trestle::config {
class Rig;
}  // namespace trestle::config

namespace trestle::composition {

/// The physical components of a bond graph as a simulated specimen. It begins in the
/// initial states that the file gives them. Its sources, where it
/// has any, give nothing.
class BondGraphSpecimen final : public simulated::SpecimenDynamics {
 public:
  explicit BondGraphSpecimen(bond_graph::Substructuring model);

  Eigen::Index ports() const noexcept override { return ports_; }
  Eigen::Index states() const noexcept override { return system_.states(); }
  bool evaluate(const Eigen::VectorXd& x, const Eigen::VectorXd& displacement,
                const Eigen::VectorXd& velocity, Eigen::VectorXd& rate,
                Eigen::VectorXd& force) noexcept override;
  void commit(const Eigen::VectorXd& x) noexcept override { system_.commit(x); }
  void reset() noexcept override { system_.reset(); }
  bool begin(Eigen::VectorXd& x) const noexcept override;
  void save(SnapshotWriter& snapshot) const override { system_.save(snapshot); }
  void restore(SnapshotReader& snapshot) override { system_.restore(snapshot); }

 private:
  bond_graph::Substructuring model_;
  bond_graph::RightHandSide& system_;
  Eigen::Index ports_;
  Eigen::VectorXd input_;
  Eigen::VectorXd output_;
};

/// Returns the part of a rig that the graph of a bond-graph specimen provides; empty for
/// other kinds.
/// @throws ConfigError if its file cannot be read, SettingError if nothing is cut
GraphSide graph_side_of(const config::Rig& rig, const std::string& path);

}  // namespace trestle::composition
