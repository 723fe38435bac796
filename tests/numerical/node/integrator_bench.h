#pragma once

#include <gtest/gtest.h>

#include <string>

#include "core/timing/virtual_clock.h"
#include "numerical/node/integrator_node.h"
#include "tests/numerical/node/session_fakes.h"

namespace trestle::testing {

inline constexpr SessionId kSession{1, 2, 3};

inline integrator_node::IntegratorSettings integrator_settings() {
  integrator_node::IntegratorSettings settings;
  settings.session = kSession;
  settings.test = "frame";
  settings.software = "0.1";
  settings.time_step = 0.01;
  settings.steps = 5;
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

/// An integrator whose two sites are a script.
struct IntegratorBench {
  explicit IntegratorBench(
      const integrator_node::IntegratorSettings& with = integrator_settings())
      : node(with, substructure, transport, recorder.recording(), clock) {}

  void tick(Duration later = std::chrono::milliseconds(1)) {
    clock.advance_to(now += later);
    node.tick(now);
  }
  void hello(int site, const SessionId& last = {}) {
    Hello hello;
    hello.site.name = site == 0 ? "west" : "east";
    hello.site.software = "0.2";
    hello.site.interface_dofs = 1;
    hello.site.actuators = {{"1", DofKind::kTranslation}};
    hello.site.modes = all_execution_modes();
    hello.last_session = last;
    transport.arrives(site, hello);
  }
  void configured(int site) {
    transport.arrives(site, Configured{kSession,
                                       {{.name = "floor.x", .displacement_limit = 0.05}},
                                       {{"1", DofKind::kTranslation}},
                                       {{}},
                                       {"actuator 1 rate 300 mm/s"}});
  }
  StepResponse response(std::int64_t step) const {
    const ActuatorVector one = ActuatorVector::Ones(1);
    return {kSession,
            step,
            {},
            InterfaceVector::Ones(1),
            InterfaceVector::Ones(1),
            {one, one, one, one}};
  }
  void answer(int site, std::int64_t step) { transport.arrives(site, response(step)); }

  void connect() {
    for (const int site : {0, 1}) hello(site);
    tick();
    for (const int site : {0, 1}) configured(site);
    tick();
  }
  void arm() {
    connect();
    for (const int site : {0, 1}) transport.arrives(site, Armed{kSession});
    tick();
  }
  void run() {
    arm();
    for (const int site : {0, 1}) answer(site, kInitialStep);
    tick();
  }
  /// Both sites have read their rigs; west is real equipment.
  void run_real_equipment() {
    for (const int site : {0, 1}) hello(site);
    auto& first = std::get<Hello>(transport.waiting.front().session);
    first.site.real_equipment = first.site.hardware_watchdog = true;
    tick();
    for (const int site : {0, 1}) configured(site);
    tick();
    EXPECT_EQ(node.arm("ada@lab"), "");
    tick();
    for (const int site : {0, 1}) transport.arrives(site, Armed{kSession});
    tick();
    for (const int site : {0, 1}) answer(site, kInitialStep);
    tick();
  }
  void finish() {
    for (const int site : {0, 1}) transport.arrives(site, Heartbeat{kSession});
    tick();
    for (const int site : {0, 1}) transport.arrives(site, Stopped{kSession, 0, 0});
    tick();
  }
  /// Lets time pass until the run is over, at most ten minutes.
  void wait() {
    for (int i = 0; i < 6000 && !node.finished(); ++i) tick(std::chrono::milliseconds(100));
  }

  FakeSubstructure substructure;
  ScriptedTransport transport;
  FakeRecorder recorder;
  timing::VirtualClock clock;
  integrator_node::IntegratorNode node;
  TimePoint now{};
};

inline void expect_end(const IntegratorBench& bench, evaluation::RunResult result,
                       const std::string& reason) {
  EXPECT_TRUE(bench.node.finished());
  EXPECT_EQ(bench.node.report().result, result);
  EXPECT_EQ(bench.node.report().reason, reason);
}

}  // namespace trestle::testing
