// Bytes as a life of a site: messages good, spoilt and raw, time, an operator, a rig that
// lies or trips, the death of the process. Whatever it is, the node does not crash, what it
// says can travel, and no drive leaves the laboratory's limits (P9).
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>

#include "composition/sites/control_chain_factory.h"
#include "core/timing/virtual_clock.h"
#include "site-servers/kinematics/matrix_frame.h"
#include "site-servers/node/site_node.h"
#include "tests/fuzz/choices.h"
#include "tests/fuzz/fuzzed_transport.h"
#include "tests/fuzz/guarded_rig.h"
#include "tests/numerical/node/session_fakes.h"

namespace trestle {
namespace {

using fuzz::Choices;
using fuzz::GuardedRig;

const SessionId kSession{1, 2, 3};
const SessionId kOther{9};
constexpr int kMostActions = 400;
constexpr int kMostTicks = 2000;
// A step of more control ticks is followed as agreed, and takes as long as it takes.
constexpr int kMostTicksPerStep = 64;

class SimulatedSiteProcess {
 public:
  explicit SimulatedSiteProcess(Choices choices) : choices_(choices) { start(); }

  void live() {
    for (int i = 0; i < kMostActions && choices_.any(); ++i) {
      const int choice = choices_.below(18);
      act(choice);
      let_it_work();
      tell(choice);
    }
  }

 private:
  void start() {
    node_.reset();
    recorder_ = std::make_unique<testing::FakeRecorder>(false);
    const ActuatorLimits limits{.displacement = GuardedRig::kDisplacement,
                                .rate = GuardedRig::kRate};
    node_ = std::make_unique<site_node::SiteNode>(
        site_node::SiteSettings{.name = "west",
                                .software = "0.2",
                                .loading_frame = std::make_unique<kinematics::MatrixFrame>(
                                    kinematics::MatrixFrame::identity(1)),
                                .control_chain = &composition::control_chain_factory(),
                                .limits = {limits},
                                .limit_place = {},
                                .target_limits = {{"x", 0.05}}},
        rig_, transport_, site_node::SiteNode::Records{recorder_->recording()}, clock_);
  }

  void act(int choice) {
    switch (choice) {
      case 0:
        return transport_.arrives(0, SessionMessage{Welcome{version(), "0.1"}});
      case 1:
        return transport_.arrives(0, SessionMessage{configure()});
      case 2:
        return transport_.arrives(0, SessionMessage{Arm{session(), {}, {}, {}}});
      case 3:
        return transport_.arrives(0, SessionMessage{Start{session(), clock_.now()}});
      case 4:
      case 5:
      case 6:
        return transport_.arrives(0, next_step());
      case 7:
        return transport_.arrives(0, any_step());
      case 8:
        return transport_.arrives(
            0, SessionMessage{Halt{session(), "east", {}, choices_.byte(), "a fault", {}}});
      case 9:
        return transport_.arrives(0, SessionMessage{Stop{session(), "done", {}, {}}});
      case 10:
        return transport_.arrives(0, SessionMessage{heartbeat()});
      case 11:
        return transport_.arrives(0, SessionMessage{resume()});
      case 12:
        return raw();
      case 13:
        return clock_.advance_to(clock_.now() + pause());
      case 14:
        node_->hold("a person at the site", "signal", "SIGINT");
        return;
      case 15:
        return spoil_rig();
      case 16:
        return spoil_recorder();
      default:
        return start();
    }
  }

  SessionId session() { return choices_.below(16) == 0 ? kOther : kSession; }
  Version version() { return {choices_.below(16) == 0 ? 2U : 1U, choices_.byte()}; }
  Duration pause() {
    static constexpr Duration kPauses[] = {
        std::chrono::microseconds(100), std::chrono::milliseconds(1),
        std::chrono::milliseconds(10),  std::chrono::milliseconds(300),
        std::chrono::seconds(2),        std::chrono::seconds(6)};
    return kPauses[choices_.below(6)];
  }

  Configure configure() {
    Configure configure;
    configure.session = session();
    configure.test = "frame";
    configure.mode = all_execution_modes()[static_cast<std::size_t>(choices_.below(4))];
    configure.time_step = 0.01;
    configure.ticks_per_step = 1 + choices_.below(8);
    configure.seed = choices_.byte();
    configure.layout = {{.name = "floor.x", .displacement_limit = 0.06}};
    configure.heartbeat_period = 0.5;
    configure.watchdog = 5.0;
    configure.resume = choices_.below(8) == 7;
    switch (choices_.below(16)) {
      case 8:
        configure.time_step = choices_.number(0.1);
        break;
      case 9:
        configure.heartbeat_period = choices_.number(1.0);
        break;
      case 10:
        configure.watchdog = choices_.number(1.0);
        break;
      case 11:
        configure.layout[0].displacement_limit = choices_.number(1.0);
        break;
      case 12:
        configure.layout[0].rate_limit = choices_.number(1.0);
        break;
      case 13:
        spoil_limits(configure);
        break;
      case 14:
        spoil_pace(configure.pace);
        break;
      case 15:
        configure.compensator.assign(7, static_cast<char>(choices_.byte()));
        break;
      default:
        break;
    }
    return configure;
  }
  void spoil_limits(Configure& configure) {
    configure.limits.resize(static_cast<std::size_t>(choices_.below(3)));
    for (ActuatorLimits& limits : configure.limits) {
      limits.displacement = choices_.number(1.0);
      limits.rate = choices_.number(10.0);
      limits.force = choices_.number(1e6);
      limits.tracking_error = choices_.number(1.0);
      limits.tracking_dwell = choices_.number(1.0);
      limits.energy_error = choices_.number(1.0);
      limits.acceleration = choices_.number(1e3);
    }
  }
  void spoil_pace(PacingSettings& pace) {
    pace.latency_steps = choices_.below(70) - 2;
    pace.scale = choices_.number(10.0);
    pace.order = choices_.below(6);
    pace.slow_down_after = choices_.number(1.0);
    pace.hold_after = choices_.number(1.0);
    pace.ramp_and_hold = choices_.coin();
    pace.rate = choices_.number(1.0);
    pace.settle = choices_.number(1.0);
    pace.average = choices_.number(1.0);
    pace.system_clock = choices_.coin();
  }

  StepCommand next_step() {
    StepCommand command;
    command.session = kSession;
    command.step = node_->last_step() + 1;
    command.due = clock_.now();
    command.target = InterfaceMotion::zero(1);
    command.target.displacement[0] = 2e-4 * (choices_.byte() - 128);
    return command;
  }
  StepCommand any_step() {
    StepCommand command = next_step();
    command.session = session();
    command.step += choices_.below(5) - 2;
    if (choices_.below(8) == 0) command.step = choices_.integer();
    if (choices_.below(8) == 0) command.due = TimePoint{Duration{choices_.integer()}};
    const int dofs = choices_.below(3);
    command.target = InterfaceMotion::zero(dofs);
    for (int i = 0; i < dofs; ++i) {
      command.target.displacement[i] = choices_.number(0.05);
      command.target.velocity[i] = choices_.number(1.0);
      command.target.acceleration[i] = choices_.number(10.0);
    }
    if (dofs == 1 && choices_.coin()) {
      command.feedforward_target = command.target;
      command.command_feedforward = InterfaceVector::Constant(1, choices_.number(0.05));
    }
    return command;
  }
  Heartbeat heartbeat() {
    Heartbeat beat;
    beat.session = session();
    if (!choices_.coin()) return beat;
    beat.exchange = {TimePoint{Duration{choices_.integer()}},
                     TimePoint{Duration{choices_.integer()}},
                     TimePoint{Duration{choices_.integer()}}};
    beat.clock_bound = Duration{choices_.integer()};
    return beat;
  }
  Resume resume() {
    Resume resume;
    resume.session = session();
    resume.next_step = node_->last_step() + choices_.below(4) - 1;
    resume.at = clock_.now();
    return resume;
  }

  void raw() {
    const auto length = static_cast<std::size_t>(choices_.byte());
    const ReceivedMessage incoming = transport_.read(0, choices_.bytes(length));
    if (incoming.kind == ReceivedMessage::Kind::kSession)
      if (const auto* configure = std::get_if<Configure>(&incoming.session))
        if (configure->ticks_per_step > kMostTicksPerStep) return;
    transport_.arrives(incoming);
  }

  void spoil_rig() {
    static constexpr AdapterStatus kAll[] = {AdapterStatus::kOk, AdapterStatus::kOk,
                                             AdapterStatus::kLate, AdapterStatus::kTripped};
    rig_.status = kAll[choices_.below(4)];
    rig_.lie = choices_.coin() ? choices_.number(0.05) : 0.0;
  }
  void spoil_recorder() {
    recorder_->broken = choices_.below(4) == 0;
    recorder_->loses_rows = choices_.below(4) == 0;
    recorder_->refuses = choices_.below(4) == 0 ? "the disk is full" : "";
  }

  /// Prints the choice when a finding is replayed.
  void tell(int choice) const {
    static const bool asked = std::getenv("FUZZ_TRACE") != nullptr;
    if (asked)
      std::fprintf(stderr, "choice %d at %.4f s: %s, step %lld, %ld drives, rig at %g %s\n",
                   choice,
                   static_cast<double>(clock_.now().time_since_epoch().count()) * 1e-9,
                   std::string(session::name(node_->state())).c_str(),
                   static_cast<long long>(node_->last_step()), rig_.drives, rig_.position(),
                   node_->reason().c_str());
  }

  /// Until it has nothing to do at once; where time passed a paced loop catches up.
  void let_it_work() {
    for (int i = 0; i < kMostTicks; ++i)
      if (node_->tick(clock_.now()) > clock_.now()) return;
  }

  Choices choices_;
  timing::VirtualClock clock_;
  GuardedRig rig_;
  fuzz::FuzzedTransport transport_;
  std::unique_ptr<testing::FakeRecorder> recorder_;
  std::unique_ptr<site_node::SiteNode> node_;
};

}  // namespace
}  // namespace trestle

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  trestle::SimulatedSiteProcess(trestle::fuzz::Choices(data, size)).live();
  return 0;
}
