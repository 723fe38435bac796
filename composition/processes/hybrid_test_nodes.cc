#include "composition/processes/hybrid_test_nodes.h"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "core/host/realtime_scheduling.h"
#include "core/timing/monotonic_clock.h"
#include "core/timing/virtual_clock.h"

namespace trestle::composition {
namespace {

constexpr int kIntegratorPriority = 70;
constexpr const char* kCarriers = "ZMQbg";  // ZeroMQ's own threads

/// Keeps virtual time from jumping past a message that is on its way, and the thread from
/// sleeping while one lies there that was sent to a node whose turn had been.
class DeliverySchedule final : public Node {
 public:
  DeliverySchedule(const bus::MemoryNetwork& network, bool virtual_time)
      : network_(network), virtual_time_(virtual_time) {}
  TimePoint tick(TimePoint now) override {
    return !virtual_time_ && network_.unread() ? now : network_.next_delivery(now);
  }
  bool finished() const noexcept override { return false; }

 private:
  const bus::MemoryNetwork& network_;
  bool virtual_time_;
};

bool time_is_virtual(const integrator_node::IntegratorSettings& settings,
                     const Transport* elsewhere) {
  return settings.pace.virtual_clock && elsewhere == nullptr;
}

std::unique_ptr<Clock> make_clock(bool virtual_time, Transport* elsewhere) {
  if (virtual_time) return std::make_unique<timing::VirtualClock>();
  if (elsewhere != nullptr) return std::make_unique<timing::MonotonicClock>(*elsewhere);
  return std::make_unique<timing::MonotonicClock>();
}

}  // namespace

HybridTestNodes::HybridTestNodes(const integrator_node::IntegratorSettings& settings,
                                 NumericalSubstructure& substructure,
                                 const Recording& recording, std::vector<LocalSite> sites,
                                 const RemoteSites& elsewhere)
    : sites_(std::move(sites)),
      elsewhere_(elsewhere.bus),
      virtual_time_(time_is_virtual(settings, elsewhere_)),
      real_time_(settings.mode == ExecutionMode::kRealTime),
      clock_(make_clock(virtual_time_, elsewhere_)),
      network_(static_cast<int>(sites_.size())),
      deliveries_(std::make_unique<DeliverySchedule>(network_, virtual_time_)) {
  Transport* transport = &network_.integrator();
  if (elsewhere_ != nullptr) {
    joined_ = std::make_unique<bus::CompositeTransport>(network_.integrator(), *elsewhere_,
                                                        elsewhere.remote);
    // Alone on the network, the sites elsewhere are reached without the detour.
    transport = sites_.empty() ? elsewhere_ : joined_.get();
  }
  const bool threads = !virtual_time_ && settings.mode != ExecutionMode::kSimulated;
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    LocalSite& site = sites_[i];
    const int number = static_cast<int>(i);
    if (site.link) network_.link(number, *site.link, *clock_);
    site.settings.shares_clock = true;
    if (threads)
      site.settings.loop_executor = std::make_unique<site_node::ControlThread>(
          site.control_thread, static_cast<const timing::MonotonicClock&>(*clock_));
    names_.push_back(site.settings.name);
    nodes_.push_back(std::make_unique<site_node::SiteNode>(
        std::move(site.settings), *site.rig, network_.site(number),
        site_node::SiteNode::Records{site.recorder->recording()}, *clock_));
  }
  integrator_node::IntegratorSettings with = settings;
  with.disk_of_site = [this](const std::string& name) {
    return disk_of_site(name);
  };
  if (settings.pace.system_clock && elsewhere_ != nullptr) {
    system_clock_ = std::make_unique<host::SystemClockSource>(
        static_cast<const timing::MonotonicClock&>(*clock_).steady(TimePoint{}));
    if (const std::string why = system_clock_->refresh(); !why.empty())
      throw std::runtime_error("clock_source: system cannot be used here: " + why +
                               "; start chrony, or take clock_source: bus");
    with.system_clock = [source = system_clock_.get()] {
      return source->read();
    };
  }
  integrator_ = std::make_unique<integrator_node::IntegratorNode>(
      with, substructure, *transport, recording, *clock_);
}

HybridTestNodes::~HybridTestNodes() {
  const bool hangs = std::any_of(
      nodes_.begin(), nodes_.end(),
      [](const std::unique_ptr<site_node::SiteNode>& node) { return node->rig_hangs(); });
  nodes_.clear();
  if (!hangs) return;
  struct Kept {
    std::vector<LocalSite> sites;
    std::unique_ptr<Clock> clock;
  };
  static auto* const kept = new std::vector<Kept>;
  kept->push_back({std::move(sites_), std::move(clock_)});
}

std::optional<PendingWait> HybridTestNodes::disk_of_site(const std::string& name) const {
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    if (names_[i] == name) return nodes_[i]->disk_wait();
  return std::nullopt;
}

void HybridTestNodes::run(const timing::NodeRunner::IdleCallback& between) {
  std::vector<Node*> nodes{integrator_.get()};
  for (const std::unique_ptr<site_node::SiteNode>& node : nodes_)
    nodes.push_back(node.get());
  nodes.push_back(deliveries_.get());
  // An integrator alone on the wall clock has deadlines, too; those with a control thread
  // in their process run behind that.
  const bool raise = !virtual_time_ && real_time_ && nodes_.empty();
  if (raise && !host::set_fifo_priority(kIntegratorPriority)) {
    host::minimise_timer_slack();
    host::set_fifo_priority_by_thread_name(kCarriers, kIntegratorPriority);
  }
  timing::NodeRunner(nodes, *clock_, between).run();
  if (raise) host::set_fifo_priority(0);
}

}  // namespace trestle::composition
