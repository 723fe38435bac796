// Bytes as what two sites say to an integrator, with time, an operator and a model that
// diverges. It does not crash, what it says can travel, every target is a number, and no
// step goes out before all answers to the one before are in.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/timing/virtual_clock.h"
#include "numerical/node/integrator_node.h"
#include "tests/fuzz/choices.h"
#include "tests/fuzz/fuzzed_transport.h"
#include "tests/numerical/node/session_fakes.h"

namespace trestle {
namespace {

using fuzz::Choices;
using fuzz::promise;

const SessionId kSession{1, 2, 3};
const SessionId kOther{9};
constexpr int kMostActions = 400;
constexpr std::int64_t kNothing = -2;

integrator_node::IntegratorSettings settings(ExecutionMode mode) {
  integrator_node::IntegratorSettings settings;
  settings.session = kSession;
  settings.test = "frame";
  settings.mode = mode;
  settings.pace.latency_steps = mode == ExecutionMode::kRealTime ? 1 : 0;
  settings.software = "0.1";
  settings.time_step = 0.01;
  settings.steps = 8;
  settings.connect = std::chrono::seconds(8);
  settings.answer = std::chrono::seconds(3);
  for (const char* name : {"west", "east"})
    settings.sites.push_back({.name = name,
                              .where = std::string("tcp://") + name,
                              .layout = {{.name = "floor.x", .displacement_limit = 0.06}},
                              .limits = {},
                              .compensator = {},
                              .controller = {}});
  return settings;
}

class SimulatedIntegratorProcess {
 public:
  explicit SimulatedIntegratorProcess(Choices choices)
      : choices_(choices),
        mode_(static_cast<ExecutionMode>(choices_.below(4))),
        node_(settings(mode_), substructure_, transport_, recorder_.recording(), clock_) {
    transport_.heard_command = [this](int peer, const StepCommand& command) {
      check(peer, command);
    };
  }

  void live() {
    for (int i = 0; i < kMostActions && choices_.any(); ++i) {
      const int choice = choices_.below(16);
      act(choice, choices_.below(2));
      let_it_work();
    }
    node_.report();
  }

 private:
  void check(int peer, const StepCommand& command) {
    promise(peer == 0 || peer == 1, "commands go to sites that there are");
    promise(std::isfinite(command.target.displacement.sum()), "a target is a number");
    sent_ = std::max(sent_, command.step);
    if (mode_ == ExecutionMode::kRealTime) return;  // there a step may be missed
    promise(command.step <= std::min(answered_[0], answered_[1]) + 1,
            "no step goes out before all answers to the one before are in");
  }

  void act(int choice, int site) {
    switch (choice) {
      case 0:
        return says(site, hello(site));
      case 1:
        return says(site, configured());
      case 2:
        return says(site, Armed{session(), {}});
      case 3:
      case 4:
      case 5:
      case 6:
        return answers(site, response(choices_.below(16) == 0));
      case 7:
        return says(site, Heartbeat{session(), {}, {}, {}, {}});
      case 8:
        return says(site, Halt{session(),
                               "west",
                               {FaultKind::kForceLimit, 0, 2.0, 1.0},
                               choices_.byte(),
                               "too much",
                               {}});
      case 9:
        return says(site, Stopped{session(), choices_.byte(), 0, {}, {}});
      case 10:
        return says(site, Rejection{"no"});
      case 11:
        return raw(site);
      case 12:
        return clock_.advance_to(clock_.now() + pause());
      case 13:
        return node_.stop("an operator");
      case 14:
        return spoil();
      default:
        return says(site, Resumed{session(), choices_.byte() - 1});
    }
  }

  void says(int site, const SessionMessage& message) { transport_.arrives(site, message); }
  SessionId session() { return choices_.below(16) == 0 ? kOther : kSession; }
  Duration pause() {
    static constexpr Duration kPauses[] = {
        std::chrono::milliseconds(1), std::chrono::milliseconds(10),
        std::chrono::milliseconds(600), std::chrono::seconds(4)};
    return kPauses[choices_.below(4)];
  }
  Hello hello(int site) {
    Hello hello;
    hello.protocol.major = choices_.below(16) == 0 ? 2 : 1;
    hello.site.name = (site == 0) != (choices_.below(16) == 0) ? "west" : "east";
    hello.site.software = "0.2";
    hello.site.interface_dofs = choices_.below(16) == 0 ? choices_.byte() : 1;
    hello.site.actuators = {{"1", DofKind::kTranslation}};
    hello.site.modes = all_execution_modes();
    if (choices_.coin()) hello.last_session = session();
    hello.last_step = choices_.below(8) - 1;
    hello.can_resume = choices_.coin();
    return hello;
  }
  Configured configured() {
    return {.session = session(),
            .layout = {{.name = "floor.x", .displacement_limit = choices_.number(0.1)}},
            .actuators = {{"1", DofKind::kTranslation}},
            .limits = {{}},
            .tightened_limits = {"actuator 1 rate 300 mm/s"},
            .contract = {}};
  }
  /// The answer to the step that is open.
  StepResponse response(bool spoilt) {
    const ActuatorVector one = ActuatorVector::Ones(1);
    StepResponse response{.session = kSession,
                          .step = sent_,
                          .measured_at = clock_.now(),
                          .measured = InterfaceVector::Ones(1),
                          .force = InterfaceVector::Ones(1),
                          .actuators = {one, one, one, one}};
    if (!spoilt) return response;
    response.session = session();
    response.step += choices_.below(5) - 2;
    response.measured.setConstant(choices_.below(2), choices_.number(1.0));
    response.force.setConstant(response.measured.size() + choices_.below(2),
                               choices_.number(1e6));
    response.measured_at = TimePoint{Duration{choices_.integer()}};
    response.stamps.received = TimePoint{Duration{choices_.integer()}};
    response.missed = choices_.coin();
    return response;
  }
  void answers(int site, const StepResponse& response) {
    note(site, response);
    transport_.arrives(site, response);
  }
  void note(int site, const StepResponse& response) {
    std::int64_t& last = answered_[static_cast<std::size_t>(site)];
    if (response.session == kSession) last = std::max(last, response.step);
  }
  void raw(int site) {
    const auto length = static_cast<std::size_t>(choices_.byte());
    const ReceivedMessage incoming = transport_.read(site, choices_.bytes(length));
    if (incoming.kind == ReceivedMessage::Kind::kStepResponse)
      note(site, incoming.response);
    transport_.arrives(incoming);
  }
  void spoil() {
    if (choices_.coin())
      substructure_.diverges_at = choices_.below(8);
    else
      recorder_.broken = choices_.below(4) == 0;
  }
  void let_it_work() {
    for (int i = 0; i < 200; ++i)
      if (node_.tick(clock_.now()) > clock_.now()) break;
    node_.waiting_for();
  }

  Choices choices_;
  ExecutionMode mode_;
  timing::VirtualClock clock_;
  testing::FakeSubstructure substructure_;
  testing::FakeRecorder recorder_{false};
  fuzz::FuzzedTransport transport_;
  integrator_node::IntegratorNode node_;
  std::array<std::int64_t, 2> answered_{kNothing, kNothing};
  std::int64_t sent_ = kInitialStep;
};

}  // namespace
}  // namespace trestle

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  trestle::SimulatedIntegratorProcess(trestle::fuzz::Choices(data, size)).live();
  return 0;
}
