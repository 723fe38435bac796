#pragma once

#include <array>
#include <memory>
#include <random>

#include "composition/sites/control_chain_factory.h"
#include "core/bus/memory_network.h"
#include "core/timing/node_runner.h"
#include "core/timing/virtual_clock.h"
#include "numerical/node/integrator_node.h"
#include "site-servers/kinematics/matrix_frame.h"
#include "site-servers/node/site_node.h"
#include "tests/numerical/node/session_fakes.h"

namespace trestle::testing {

/// A spring behind an actuator that lags, so that a tick too many or too few is seen.
class LaggingRig final : public SiteAdapter {
 public:
  RigDescription description() const override {
    return {{{"1", DofKind::kTranslation}}, false, false, 0.0};
  }
  void prepare(const RigRun& /*run*/) override { drive_ = position_ = 0.0; }
  AdapterStatus read(TimePoint /*now*/, Measurement& sensed) noexcept override {
    position_ += 0.75 * (drive_ - position_);
    sensed.displacement[0] = position_;
    sensed.force[0] = 1e6 * position_;
    ++reads;
    return reads == trips_at ? AdapterStatus::kTripped : AdapterStatus::kOk;
  }
  AdapterStatus write(const ActuatorVector& drive) noexcept override {
    drive_ = drive[0];
    return AdapterStatus::kOk;
  }
  void hold() noexcept override {}
  void save(SnapshotWriter& /*snapshot*/) const override {}
  void restore(SnapshotReader& /*snapshot*/) override {}

  int reads = 0;
  int trips_at = -1;

 private:
  double drive_ = 0.0;
  double position_ = 0.0;
};

inline integrator_node::IntegratorSettings lab_settings(std::int64_t steps,
                                                        std::uint8_t session = 1) {
  integrator_node::IntegratorSettings settings;
  settings.session = {session};
  settings.test = "frame";
  settings.time_step = 0.01;
  settings.steps = steps;
  for (const char* name : {"west", "east"})
    settings.sites.push_back({.name = name,
                              .where = "in this process",
                              .layout = {{.name = std::string(name) + ".x"}},
                              .limits = {},
                              .ticks_per_step = 3,
                              .compensator = {},
                              .controller = {}});
  return settings;
}

inline site_node::SiteSettings site_settings(const std::string& name) {
  return {.name = name,
          .software = "",
          .loading_frame = std::make_unique<kinematics::MatrixFrame>(
              kinematics::MatrixFrame::identity(1)),
          .control_chain = &composition::control_chain_factory(),
          .limits = {},
          .limit_place = {},
          .target_limits = {}};
}

/// Loses and doubles messages on their way out, by seed.
class LossyTransport final : public Transport {
 public:
  LossyTransport(Transport& inner, double share, unsigned seed)
      : inner_(inner), share_(share), random_(seed) {}
  bool send(int peer, const StepCommand& message) noexcept override {
    return pass(peer, message);
  }
  bool send(int peer, const StepResponse& message) noexcept override {
    return pass(peer, message);
  }
  bool send(int peer, const SessionMessage& message) override {
    return pass(peer, message);
  }
  bool receive(ReceivedMessage& into) override { return inner_.receive(into); }
  void lock_peer(bool keep) noexcept override { inner_.lock_peer(keep); }
  void wait(Duration timeout) noexcept override { inner_.wait(timeout); }

 private:
  template <typename Message>
  bool pass(int peer, const Message& message) {
    const double fate = std::uniform_real_distribution<>(0.0, 1.0)(random_);
    if (fate < share_) return true;  // lost without a report
    if (fate < 2.0 * share_) inner_.send(peer, message);
    return inner_.send(peer, message);
  }

  Transport& inner_;
  double share_;
  std::mt19937 random_;
};

/// An integrator and two sites on one thread and the virtual clock.
struct Lab {
  explicit Lab(const integrator_node::IntegratorSettings& with, bool keep = true,
               double loss = 0.0, unsigned seed = 0)
      : records{FakeRecorder(keep), FakeRecorder(keep), FakeRecorder(keep)},
        ends{LossyTransport(network.site(0), loss, 3 * seed),
             LossyTransport(network.site(1), loss, 3 * seed + 1),
             LossyTransport(network.integrator(), loss, 3 * seed + 2)} {
    for (std::size_t i = 0; i < 2; ++i) start_site(i);
    integrator = std::make_unique<integrator_node::IntegratorNode>(
        with, substructure, ends[2], records[2].recording(), clock);
  }

  void start_site(std::size_t i) {
    sites[i] = std::make_unique<site_node::SiteNode>(
        site_settings(i == 0 ? "west" : "east"), rigs[i], ends[i],
        site_node::SiteNode::Records{records[i].recording()}, clock);
  }
  void round() {
    integrator->tick(clock.now());
    for (const auto& site : sites) site->tick(clock.now());
  }
  void run_until(std::int64_t steps) {
    while (integrator->steps_done() < steps && !integrator->finished()) round();
  }
  void finish() {
    timing::NodeRunner({integrator.get(), sites[0].get(), sites[1].get()}, clock, [] {
      return true;
    }).run();
  }

  bus::MemoryNetwork network{2};
  std::array<FakeRecorder, 3> records;  ///< west, east, integrator
  std::array<LossyTransport, 3> ends;
  std::array<LaggingRig, 2> rigs;
  FakeSubstructure substructure;
  timing::VirtualClock clock;
  std::array<std::unique_ptr<site_node::SiteNode>, 2> sites;
  std::unique_ptr<integrator_node::IntegratorNode> integrator;
};

/// The same streams, row by row and bit by bit.
inline bool same_record(const FakeRecorder& one, const FakeRecorder& other) {
  if (one.sinks.size() != other.sinks.size() || one.sinks.empty()) return false;
  for (std::size_t i = 0; i < one.sinks.size(); ++i)
    if (one.sinks[i].rows.empty() || one.sinks[i].rows != other.sinks[i].rows) return false;
  return true;
}

}  // namespace trestle::testing
