// Counts how often a target is copied from the numerical substructure to the control loop,
// and what was measured on its way back. count_copies.py compiles it, with sources in which
// the two count their copies.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

#include "core/ports/loading_frame.h"
#include "core/timing/virtual_clock.h"
#include "numerical/node/integrator_node.h"
#include "site-servers/compensators/no_compensator.h"
#include "site-servers/controllers/pass_through.h"
#include "site-servers/node/site_node.h"
#include "tests/numerical/node/session_fakes.h"

namespace trestle {
namespace {

constexpr SessionId kSession{1, 2, 3};
constexpr int kSteps = 50;
constexpr int kFirst = 3;
constexpr double kOffset =
    3e-10;  // of a measured displacement, so that it is no target [m]

/// The largest number of copies on one part of the way.
struct Count {
  int most = -1;
  bool on_the_way = false;
  void begin(double value) {
    on_the_way = true;
    CountedVector::watch(value);
  }
  /// @param step  the first ones are not counted: they fill what extrapolates
  void end(std::int64_t step) {
    if (!std::exchange(on_the_way, false) || step < kFirst) return;
    most = std::max(most, CountedVector::copies());
  }
};
Count integrator_down, site_down, site_back, integrator_back;
std::int64_t site_step = 0;

/// A transport that keeps the last message of each kind, and gives the next one.
class CountingTransport final : public Transport {
 public:
  bool send(int /*peer*/, const StepCommand& message) noexcept override {
    integrator_down.end(message.step);
    command = message;
    ++commands;
    return true;
  }
  bool send(int /*peer*/, const StepResponse& message) noexcept override {
    site_back.end(message.step);
    response = message;
    ++responses;
    return true;
  }
  bool send(int /*peer*/, const SessionMessage& message) override {
    sessions.push_back(message);
    return true;
  }
  bool receive(ReceivedMessage& into) override {
    if (waiting.empty()) return false;
    into = waiting.front();
    waiting.erase(waiting.begin());
    if (into.kind == ReceivedMessage::Kind::kStepCommand) site_step = into.command.step;
    if (into.kind == ReceivedMessage::Kind::kStepCommand)
      site_down.begin(into.command.target.displacement[0]);
    if (into.kind == ReceivedMessage::Kind::kStepResponse && into.response.step >= 0)
      integrator_back.begin(into.response.measured[0]);
    return true;
  }
  void lock_peer(bool /*keep*/) noexcept override {}
  void wait(Duration /*timeout*/) noexcept override {}

  void arrives(const SessionMessage& message) {
    ReceivedMessage& incoming = waiting.emplace_back();
    incoming.kind = ReceivedMessage::Kind::kSession;
    incoming.session = message;
  }
  void arrives(const StepCommand& message) {
    ReceivedMessage& incoming = waiting.emplace_back();
    incoming.kind = ReceivedMessage::Kind::kStepCommand;
    incoming.command = message;
  }
  void arrives(const StepResponse& message) {
    ReceivedMessage& incoming = waiting.emplace_back();
    incoming.kind = ReceivedMessage::Kind::kStepResponse;
    incoming.response = message;
  }

  StepCommand command;
  StepResponse response;
  int commands = 0;
  int responses = 0;
  std::vector<SessionMessage> sessions;
  std::vector<ReceivedMessage> waiting;
};

class CountingSubstructure final : public NumericalSubstructure {
 public:
  std::int64_t steps() const noexcept override { return kSteps; }
  void prepare() override {}
  void predict(std::int64_t step, std::span<SiteTarget> requests) noexcept override {
    const double target = 1e-6 * static_cast<double>(step + 1);
    requests[0].target.displacement.setConstant(target);
    integrator_down.begin(target);
  }
  bool correct(std::int64_t step, std::span<const SiteResponse> answers) noexcept override {
    integrator_back.end(step);
    return answers.size() == 1;
  }
  const Channels& channels() const noexcept override { return channels_; }
  void record(std::span<double> /*row*/) const noexcept override {}
  void snapshot(SnapshotWriter& /*snapshot*/) const override {}
  void restore(SnapshotReader& /*snapshot*/) override {}

 private:
  Channels channels_;
};

/// Moves at once. The first write of a step ends the way of its target; the last read
/// before a response begins the way back.
class CountingRig final : public SiteAdapter {
 public:
  RigDescription description() const override {
    return {{{"1", DofKind::kTranslation}}, false, false, 0.0};
  }
  void prepare(const RigRun& /*run*/) override {}
  AdapterStatus read(TimePoint /*now*/, Measurement& sensed) noexcept override {
    sensed.displacement = position_.array() + kOffset;
    sensed.force = 1e6 * position_;
    site_back.begin(sensed.displacement[0]);
    return AdapterStatus::kOk;
  }
  AdapterStatus write(const ActuatorVector& drive) noexcept override {
    site_down.end(site_step);
    position_ = drive;
    return AdapterStatus::kOk;
  }
  void hold() noexcept override {}
  void save(SnapshotWriter& /*snapshot*/) const override {}
  void restore(SnapshotReader& /*snapshot*/) override {}

 private:
  ActuatorVector position_ = ActuatorVector::Zero(1);
};

/// One actuator along one DOF.
class StraightFrame final : public LoadingFrame {
 public:
  int actuators() const noexcept override { return 1; }
  int interface_dofs() const noexcept override { return 1; }
  bool linear() const noexcept override { return true; }
  Eigen::MatrixXd tangent() const override { return Eigen::MatrixXd::Identity(1, 1); }
  std::string refusal_of(const InterfaceLayout& /*controlled*/) const override {
    return {};
  }
  ActuatorVector to_actuators(const InterfaceVector& displacement) const noexcept override {
    return displacement;
  }
  ActuatorMotion to_actuators(const InterfaceMotion& motion) const noexcept override {
    return {motion.displacement, motion.velocity, motion.acceleration};
  }
  InterfaceVector to_interface(const ActuatorVector& displacement) const noexcept override {
    return displacement;
  }
  InterfaceMotion to_interface(const ActuatorMotion& stroke) const noexcept override {
    return {InterfaceVector(stroke.displacement), InterfaceVector(stroke.velocity),
            InterfaceVector(stroke.acceleration)};
  }
  InterfaceVector force_to_interface(
      const ActuatorVector& force,
      const ActuatorVector& /*strokes*/) const noexcept override {
    return force;
  }
  ActuatorVector force_to_actuators(
      const InterfaceVector& force,
      const ActuatorVector& /*strokes*/) const noexcept override {
    return force;
  }
};

class PlainChain final : public ControlChainFactory {
 public:
  std::unique_ptr<Compensator> make_compensator(std::string_view /*bytes*/,
                                                int /*actuators*/,
                                                double /*tick*/) const override {
    return std::make_unique<compensators::NoCompensator>();
  }
  std::unique_ptr<ActuatorController> make_controller(std::string_view /*bytes*/,
                                                      int /*actuators*/,
                                                      double /*tick*/) const override {
    return std::make_unique<controllers::PassThrough>();
  }
  std::string format_compensator(std::string_view /*bytes*/) const override { return {}; }
  std::string format_controller(std::string_view /*bytes*/) const override { return {}; }
};

/// Where the command leaves the integrator, and by time where it leaves the node's thread;
/// a pseudo-dynamic site keeps it in that same place until it is durable. One more is
/// state: the trajectory keeps where it ends.
int most_down(ExecutionMode mode) {
  return mode == ExecutionMode::kSimulated ? 2 : 3;
}

/// Integrator and one site on one clock; carries the messages from one to the other.
bool run(ExecutionMode mode) {
  timing::VirtualClock clock;
  integrator_node::IntegratorSettings settings;
  settings.session = kSession;
  settings.test = "copies";
  settings.software = "0";
  settings.mode = mode;
  settings.pace.rate = 0.1;
  settings.pace.settle = 0.01;
  settings.pace.average = 0.004;
  settings.time_step = 0.01;
  settings.steps = kSteps;
  settings.sites.push_back({.name = "west",
                            .where = "here",
                            .layout = {{.name = "floor.x", .displacement_limit = 0.06}},
                            .limits = {},
                            .ticks_per_step = 2,
                            .compensator = {},
                            .controller = {},
                            .shares_clock = true});
  CountingSubstructure substructure;
  testing::FakeRecorder integrator_record;
  testing::FakeRecorder site_record;
  CountingTransport to_site;
  CountingTransport to_integrator;
  CountingRig rig;
  const PlainChain chain;
  integrator_node::IntegratorNode integrator(settings, substructure, to_site,
                                             integrator_record.recording(), clock);
  site_node::SiteNode site({.name = "west",
                            .software = "0",
                            .loading_frame = std::make_unique<StraightFrame>(),
                            .control_chain = &chain,
                            .limits = {},
                            .limit_place = {},
                            .target_limits = {{"x", 0.05}}},
                           rig, to_integrator, {site_record.recording(), nullptr}, clock);
  TimePoint now{};
  for (int n = 0; n < 200'000 && !integrator.finished(); ++n) {
    clock.advance_to(now += std::chrono::microseconds(500));
    integrator.tick(now);
    for (const SessionMessage& message : to_site.sessions) to_integrator.arrives(message);
    to_site.sessions.clear();
    if (to_site.commands > 0) to_integrator.arrives(to_site.command);
    to_site.commands = 0;
    site.tick(now);
    for (const SessionMessage& message : to_integrator.sessions) to_site.arrives(message);
    to_integrator.sessions.clear();
    if (to_integrator.responses > 0) to_site.arrives(to_integrator.response);
    to_integrator.responses = 0;
  }
  if (integrator.steps_done() != kSteps) {
    std::printf("%s: the test ended at step %lld: %s\n", name(mode),
                static_cast<long long>(integrator.steps_done()),
                integrator.report().reason.c_str());
    return false;
  }
  const int down = integrator_down.most + site_down.most;
  const int back = site_back.most + integrator_back.most;
  std::printf(
      "%s: %d copies down (integrator %d, site %d), %d back (site %d, integrator %d)\n",
      name(mode), down, integrator_down.most, site_down.most, back, site_back.most,
      integrator_back.most);
  integrator_down = site_down = site_back = integrator_back = {};
  return down <= most_down(mode) && back <= 2;
}

}  // namespace
}  // namespace trestle

int main() {
  bool right = true;
  for (const trestle::ExecutionMode mode :
       {trestle::ExecutionMode::kSimulated, trestle::ExecutionMode::kPseudoDynamic,
        trestle::ExecutionMode::kContinuous, trestle::ExecutionMode::kRealTime})
    right = trestle::run(mode) && right;
  return right ? 0 : 1;
}
