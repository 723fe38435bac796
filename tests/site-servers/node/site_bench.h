#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "composition/sites/control_chain_factory.h"
#include "core/session/session_contract.h"
#include "core/timing/virtual_clock.h"
#include "site-servers/kinematics/matrix_frame.h"
#include "site-servers/node/site_node.h"
#include "tests/numerical/node/session_fakes.h"

namespace trestle::testing {

inline const SessionId kSession{1, 2, 3};
inline const SessionId kOther{9};

/// An ideal rig of one actuator on a spring that counts its motions.
class Rig final : public SiteAdapter {
 public:
  explicit Rig(bool real = false) : real_(real) {}
  RigDescription description() const override {
    return {{{"1", DofKind::kTranslation}}, real_, false, 0.0};
  }
  void prepare(const RigRun& /*run*/) override {
    if (refuses) throw std::runtime_error("the pump is off");
    ++prepared;
  }
  AdapterStatus read(TimePoint /*now*/, Measurement& sensed) noexcept override {
    sensed.displacement = position;
    sensed.force = 1e6 * position;
    return status;
  }
  AdapterStatus write(const ActuatorVector& drive) noexcept override {
    position = drive;
    ++motions;
    return AdapterStatus::kOk;
  }
  void hold() noexcept override { ++holds; }
  void save(SnapshotWriter& /*snapshot*/) const override { ++saves; }
  void restore(SnapshotReader& /*snapshot*/) override {}

  ActuatorVector position = ActuatorVector::Zero(1);
  AdapterStatus status = AdapterStatus::kOk;
  bool refuses = false;
  int prepared = 0;
  int motions = 0;
  int holds = 0;
  mutable int saves = 0;

 private:
  bool real_;
};

inline Configure configure_message(const SessionId& session = kSession) {
  Configure configure;
  configure.session = session;
  configure.test = "frame";
  configure.mode = "simulated";
  configure.time_step = 0.01;
  configure.ticks_per_step = 2;
  configure.layout = {{.name = "floor.x", .displacement_limit = 0.06}};
  configure.heartbeat_period = 0.5;
  configure.watchdog = 5.0;
  return configure;
}

/// One record of three bytes, of kSession.
class Records final : public RecordChunkSource {
 public:
  RecordChunk read_chunk(const RecordRequest& fetch) override {
    ++asked;
    return {fetch.session, fetch.offset, 3, fetch.offset == 0 ? "abc" : "",
            fetch.session == kSession ? "" : "no such session"};
  }
  int asked = 0;
};

/// Without which real equipment does not move; nothing here comes near them.
inline ActuatorLimits real_limits() {
  ActuatorLimits limits;
  limits.displacement = 1.0;
  limits.rate = 100.0;
  limits.force = 1e9;
  return limits;
}

/// A site whose integrator is a script.
struct SiteBench {
  explicit SiteBench(bool real = false, const RigLimits& limits = {})
      : limited(!limits.empty()),
        rig(real),
        node({.name = "west",
              .software = "0.2",
              .loading_frame = std::make_unique<kinematics::MatrixFrame>(
                  kinematics::MatrixFrame::identity(1)),
              .control_chain = &composition::control_chain_factory(),
              .limits = limits,
              .limit_place = {},
              .target_limits = {{"x", 0.05}}},
             rig, transport, {recorder.recording(), &records}, clock) {}

  template <typename Message>
  void gets(const Message& message) {
    if constexpr (std::is_same_v<Message, StepCommand>)
      transport.arrives(0, message);
    else
      transport.arrives(0, SessionMessage{message});
    tick();
  }
  Configure wanted(const SessionId& session) const {
    Configure configure = configure_message(session);
    if (!rig.description().real_equipment) return configure;
    configure.mode = name(ExecutionMode::kPseudoDynamic);
    if (!limited) configure.limits = {real_limits()};
    configure.pace.rate = 0.1;
    configure.pace.settle = 0.01;
    configure.pace.average = 0.004;
    return configure;
  }
  void tick(Duration later = std::chrono::milliseconds(1)) { node.tick(now += later); }
  void run(const SessionId& session = kSession) {
    gets(Welcome{kProtocolVersion, "0.1"});
    gets(wanted(session));
    gets(Arm{session, session::contract_hash(transport.last<Configured>().contract),
             "ada@lab"});
    gets(Start{session});
  }
  StepCommand step(std::int64_t number, double target = 0.01) const {
    StepCommand command;
    command.session = kSession;
    command.step = number;
    command.target = InterfaceMotion::zero(1);
    command.target.displacement[0] = target;
    return command;
  }
  void settle() {
    for (int i = 0; i < 1000 && node.state() == session::SessionState::kStopping; ++i)
      tick();
  }
  std::string refusal() const { return transport.last<Rejection>().reason; }
  int refusals() const { return transport.sent<Rejection>(0); }

  bool limited;  ///< the laboratory states its own
  ScriptedTransport transport;
  FakeRecorder recorder;
  Records records;
  Rig rig;
  timing::VirtualClock clock;
  site_node::SiteNode node;
  TimePoint now{};
};

}  // namespace trestle::testing
