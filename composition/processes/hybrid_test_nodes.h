#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "composition/processes/local_site.h"
#include "core/bus/composite_transport.h"
#include "core/bus/memory_network.h"
#include "core/host/system_clock.h"
#include "core/ports/clock.h"
#include "core/ports/numerical_substructure.h"
#include "core/ports/operator_interface.h"
#include "core/ports/recording.h"
#include "core/timing/node_runner.h"
#include "numerical/node/integrator_node.h"
#include "site-servers/node/site_node.h"

namespace trestle::composition {

/// The nodes of a test in one process: the integrator, the bus and the sites, on one
/// thread.
///
/// Time is virtual if the test's pace says so and all sites are in this process: then no
/// node waits. Otherwise it is wall-clock time. With remote sites the thread waits in their
/// transport. In the paced modes each site of this process has its own control thread. In
/// lock-step the record is the same, bit for bit (P1).
class HybridTestNodes {
 public:
  /// The sites of the test that other processes serve.
  struct RemoteSites {
    Transport* bus = nullptr;       ///< to them, peers in the order of the test; null: none
    std::vector<bool> remote = {};  ///< per site of the test
  };

  /// @param sites  those in this process
  /// @throws std::runtime_error if clocks use the system clock and it is not synchronised
  HybridTestNodes(const integrator_node::IntegratorSettings& settings,
                  NumericalSubstructure& substructure, const Recording& recording,
                  std::vector<LocalSite> sites, const RemoteSites& elsewhere);
  /// Never frees the objects that a thread uses which hangs in a call of the rig.
  ~HybridTestNodes();
  HybridTestNodes(const HybridTestNodes&) = delete;
  HybridTestNodes& operator=(const HybridTestNodes&) = delete;

  /// Until the test is over, or `between` ends it.
  void run(const timing::NodeRunner::IdleCallback& between);

  integrator_node::IntegratorNode& integrator() noexcept { return *integrator_; }
  /// Returns a site of this process.
  const site_node::SiteNode& site(std::size_t index) const noexcept {
    return *nodes_[index];
  }
  site_node::SiteNode& site(std::size_t index) noexcept { return *nodes_[index]; }

 private:
  std::optional<PendingWait> disk_of_site(const std::string& name) const;

  std::vector<LocalSite> sites_;
  Transport* elsewhere_;
  bool virtual_time_;
  bool real_time_;
  std::unique_ptr<Clock> clock_;
  std::unique_ptr<host::SystemClockSource> system_clock_;
  bus::MemoryNetwork network_;
  std::unique_ptr<Node> deliveries_;
  std::unique_ptr<bus::CompositeTransport> joined_;
  std::vector<std::unique_ptr<site_node::SiteNode>> nodes_;
  std::vector<std::string> names_;  ///< of these
  std::unique_ptr<integrator_node::IntegratorNode> integrator_;
};

}  // namespace trestle::composition
