#include "virtual-lab/virtual_lab.h"

#include <utility>

#include "core/timing/virtual_clock.h"
#include "core/timing/wall_clock.h"

namespace trestle {

VirtualLab::VirtualLab(const IntegratorSettings& settings,
                       NumericalSubstructure& substructure, Recorder& recorder,
                       std::vector<LabSite> sites, Transport* elsewhere,
                       const std::vector<bool>& remote)
    : sites_(std::move(sites)),
      network_(static_cast<int>(sites_.size())),
      elsewhere_(elsewhere) {
  Transport* transport = &network_.integrator();
  if (elsewhere != nullptr) {
    joined_ = std::make_unique<JoinedTransport>(network_.integrator(), *elsewhere, remote);
    // Alone on the network, the sites elsewhere are reached without the detour.
    transport = sites_.empty() ? elsewhere : joined_.get();
  }
  for (std::size_t i = 0; i < sites_.size(); ++i)
    nodes_.push_back(std::make_unique<SiteNode>(
        std::move(sites_[i].settings), *sites_[i].rig, network_.site(static_cast<int>(i)),
        *sites_[i].recorder, nullptr));
  integrator_ =
      std::make_unique<IntegratorNode>(settings, substructure, *transport, recorder);
}

void VirtualLab::run(const LockstepRunner::Between& between) {
  std::vector<Node*> nodes{integrator_.get()};
  for (const std::unique_ptr<SiteNode>& node : nodes_) nodes.push_back(node.get());
  if (elsewhere_ == nullptr) {
    VirtualClock clock;
    LockstepRunner(nodes, clock, between).run();
  } else {
    WallClock clock(*elsewhere_);
    LockstepRunner(nodes, clock, between).run();
  }
}

}  // namespace trestle
