#pragma once

#include <memory>
#include <vector>

#include "composition/processes/local_site.h"
#include "core/bus/composite_transport.h"
#include "core/bus/memory_network.h"
#include "core/host/system_clock.h"
#include "core/ports/clock.h"
#include "core/ports/numerical_substructure.h"
#include "core/ports/recording.h"
#include "core/timing/node_runner.h"
#include "numerical/node/integrator_node.h"
#include "site-servers/node/site_node.h"

namespace trestle {

/// The nodes of a test in one process: the integrator, the bus and the sites, on one
/// thread.
///
/// Time is virtual where the test's pace says so and all sites are here: then nobody waits.
/// Else it is the wall's; with sites elsewhere the thread waits in their transport, and in
/// the modes that have a pace each site here has a control thread of its own. In lock-step
/// the record is the same, bit for bit (P1).
class HybridTestNodes {
 public:
  /// The sites of the test that other processes serve.
  struct RemoteSites {
    Transport* bus = nullptr;       ///< to them, peers in the order of the test; null: none
    std::vector<bool> remote = {};  ///< per site of the test
  };

  /// @param sites  those in this process
  /// @throws std::runtime_error where clocks shall go by the system clock, and nobody keeps
  /// it
  HybridTestNodes(const IntegratorSettings& settings, NumericalSubstructure& substructure,
                  const Recording& recording, std::vector<LocalSite> sites,
                  const RemoteSites& elsewhere);
  /// What a thread uses that is in a rig's function which does not come back is kept for
  /// ever.
  ~HybridTestNodes();
  HybridTestNodes(const HybridTestNodes&) = delete;
  HybridTestNodes& operator=(const HybridTestNodes&) = delete;

  /// Until the test is over, or `between` ends it.
  void run(const NodeRunner::IdleCallback& between);

  IntegratorNode& integrator() noexcept { return *integrator_; }
  /// Of the sites in this process.
  const SiteNode& site(std::size_t index) const noexcept { return *nodes_[index]; }
  SiteNode& site(std::size_t index) noexcept { return *nodes_[index]; }

 private:
  std::vector<LocalSite> sites_;
  Transport* elsewhere_;
  bool virtual_time_;
  bool real_time_;
  std::unique_ptr<Clock> clock_;
  std::unique_ptr<SystemClockSource> system_clock_;
  MemoryNetwork network_;
  std::unique_ptr<Node> deliveries_;
  std::unique_ptr<CompositeTransport> joined_;
  std::vector<std::unique_ptr<SiteNode>> nodes_;
  std::unique_ptr<IntegratorNode> integrator_;
};

}  // namespace trestle
