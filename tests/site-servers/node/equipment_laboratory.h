#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <semaphore>
#include <string>
#include <utility>

#include "composition/sites/control_chain_factory.h"
#include "core/journal/journal_recorder.h"
#include "core/journal/sqlite_database.h"
#include "core/session/session_contract.h"
#include "core/types/session_id_text.h"
#include "site-servers/kinematics/matrix_frame.h"
#include "site-servers/node/site_node.h"
#include "tests/core/journal/temporary_folder.h"
#include "tests/numerical/node/session_fakes.h"
#include "tests/site-servers/node/erring_rig.h"
#include "tests/site-servers/node/timed_bench.h"

namespace trestle::site_node::laboratory {

using testing::after;
using testing::at;
using testing::ErringRig;
using enum session::SessionState;

inline const SessionId kSession{1, 2, 3};
constexpr double kStep = 0.01;
constexpr int kTicks = 5;
constexpr double kRate = 0.03;  ///< limit [m/s]
constexpr double kMostOfATick = kRate * kStep / kTicks * (1.0 + 1e-9);

/// Time that a test moves on, and a host that may sleep.
class HostClock final : public Clock {
 public:
  TimePoint now() const noexcept override { return now_; }
  void advance_to(TimePoint until) noexcept override { now_ = std::max(now_, until); }
  Duration asleep() const noexcept override { return slept; }
  Duration slept{};

 private:
  TimePoint now_{};
};

/// One life of a site after the other, beside a rig and a record that outlive them.
struct Laboratory {
  explicit Laboratory(ExecutionMode with, bool real = true, double most_force = 1e9,
                      const safety::SafeAction& safe = {})
      : mode(with), action(safe), force(most_force) {
    rig.real = real;
    configure.session = kSession;
    configure.test = "frame";
    configure.mode = name(mode);
    configure.time_step = kStep;
    configure.ticks_per_step = kTicks;
    configure.steps_planned = 100000;
    configure.layout = {{.name = "floor.x", .displacement_limit = 0.06}};
    if (mode != ExecutionMode::kRealTime) configure.layout[0].rate_limit = 0.9 * kRate;
    configure.layout[0].acceleration_limit = 10.0;
    configure.heartbeat_period = 0.5;
    configure.watchdog = 2.0;
    configure.pace.latency_steps = mode == ExecutionMode::kRealTime ? 1 : 0;
    configure.pace.rate = 0.02;
    configure.pace.settle = 0.01;
    configure.pace.average = 0.004;
    live();
  }

  void live() {
    recorder = std::make_unique<journal::JournalRecorder>(
        journal::JournalRecorder::Settings{.folder = folder.path(),
                                           .name = "",
                                           .node = "west",
                                           .ring_rows = 1 << 14,
                                           .max_pages = 0,
                                           .facts = {},
                                           .on_durable = [this] {
                                             durable.release();
                                           }});
    transport = {};
    SiteSettings settings;
    settings.control_chain = &composition::control_chain_factory();
    settings.name = "west";
    settings.software = "0.2";
    settings.loading_frame =
        std::make_unique<kinematics::MatrixFrame>(kinematics::MatrixFrame::identity(1));
    settings.limits = {{.displacement = 0.05, .rate = kRate, .force = force}};
    settings.safe_action = action;
    settings.shares_clock = true;
    if (check_motion > 0.0) settings.start_checks.polarity_motion = {check_motion};
    node = std::make_unique<SiteNode>(std::move(settings), rig, transport,
                                      SiteNode::Records{recorder->recording()}, clock);
  }
  /// As kill -9 does: the record is not closed.
  void die() {
    node.reset();
    recorder.reset();
  }

  /// The same by a loss of power: the record is of another life of the host.
  void lose_power() {
    die();
    journal::SqliteDatabase record(folder.file(to_hex(kSession) + ".db"),
                                   journal::SqliteDatabase::Access::kWrite);
    record.execute("UPDATE meta SET value = 'another' WHERE key = 'boot'");
  }

  void gets(const SessionMessage& message) {
    transport.arrives(0, message);
    run_until(clock.now());
  }
  /// A site asks again and again whether its answer is safe; a busy host's disk takes
  /// longer.
  void wait_for_the_disk() {
    const std::uint64_t ticket = recorder->request_sync();
    while (!recorder->is_durable(ticket) && !recorder->failed())
      static_cast<void>(durable.try_acquire_for(std::chrono::milliseconds(100)));
  }
  void run_until(TimePoint until) {
    int in_vain = 0;
    for (int n = 0; n < 1'000'000; ++n) {
      const TimePoint due = node->tick(clock.now());
      if (n % 64 == 0) recorder->wait_for_space(after(1.0));
      if (due <= clock.now()) {
        if (++in_vain % 64 == 0) wait_for_the_disk();
        continue;
      }
      in_vain = 0;
      if (due > until) return clock.advance_to(until);
      clock.advance_to(due);
    }
    FAIL() << "it never rests";
  }
  void run_for(double seconds) {
    for (double done = 0.0; done < seconds - 1e-9; done += 0.5) {
      gets(Heartbeat{kSession});
      run_until(clock.now() + after(std::min(0.5, seconds - done)));
    }
  }
  void start() {
    gets(Welcome{kProtocolVersion, "0.1"});
    gets(configure);
    gets(Arm{kSession, session::contract_hash(transport.last<Configured>().contract),
             "ada@lab"});
    zero = clock.now() + after(0.02);
    gets(Start{kSession, zero});
  }
  bool come_back() {
    live();
    gets(Welcome{kProtocolVersion, "0.1"});
    configure.resume = true;
    gets(configure);
    return transport.sent<Configured>(0) > 0;
  }
  /// @param hold  of a person at the site, which the integrator knows
  void resume(std::int64_t hold = 0) {
    Resume word{kSession, node->last_step() + 1, {}, {}, "ada@lab", hold};
    word.contract_hash = session::contract_hash(transport.last<Configured>().contract);
    if (mode == ExecutionMode::kRealTime) {
      zero = clock.now() + after(0.02 - kStep * static_cast<double>(word.next_step));
      word.at = zero;
    } else {
      word.at = zero;
    }
    gets(word);
  }
  static std::string in_mm(double drive) { return std::to_string(1e3 * drive) + " mm"; }
  /// A person, who is asked.
  void tells_the_drive(const std::string& drive) {
    for (int n = 0; n < 100 && node->state() != kFault; ++n) run_for(0.01);
    ASSERT_EQ(node->state(), kFault) << "nobody is asked";
    const int writes = rig.writes;
    EXPECT_NE(node->clear("ada@lab"), "") << "it goes on with a guess";
    EXPECT_EQ(rig.writes, writes);
    ASSERT_EQ(node->clear_from("ada@lab", drive), "");
    ASSERT_EQ(node->state(), kHolding) << node->reason();
    EXPECT_EQ(node->reason().find("--drive"), std::string::npos)
        << "it still asks: " << node->reason();
  }
  double way_of_a_step() const {
    return mode == ExecutionMode::kPseudoDynamic ? 2e-3 : 1e-4;
  }
  void step(std::int64_t number, double target) {
    StepCommand command;
    command.session = kSession;
    command.step = number;
    command.due = mode == ExecutionMode::kRealTime
                      ? at(kStep * static_cast<double>(number + 1))
                      : TimePoint{clock.now() - zero} + after(kStep);
    command.target = InterfaceMotion::zero(1);
    command.target.displacement[0] = target;
    if (mode != ExecutionMode::kPseudoDynamic)
      command.target.velocity[0] = way_of_a_step() / kStep;
    transport.arrives(0, command);
    run_until(clock.now());
  }
  /// Steps until the target is this far out. @returns the last one
  std::int64_t go_out_to(double place) {
    if (mode == ExecutionMode::kRealTime) return go_out_in_real_time_to(place);
    std::int64_t k = node->last_step() + 1;
    for (; static_cast<double>(k + 1) * way_of_a_step() <= place + 1e-12; ++k) {
      step(k, static_cast<double>(k + 1) * way_of_a_step());
      for (int n = 0; n < 100'000 && node->last_step() < k; ++n) {
        if (node->state() != kRunning) return k;
        if (n % 50 == 0) gets(Heartbeat{kSession});
        run_until(clock.now() + after(2e-4));
      }
    }
    return k - 1;
  }

  /// Each target half a step before it is due.
  std::int64_t go_out_in_real_time_to(double place) {
    std::int64_t k = node->last_step();
    while (node->state() == kRunning && asked < place - 1e-12) {
      const double since = seconds(clock.now() - zero) / kStep;
      k = std::max(k + 1, static_cast<std::int64_t>(std::floor(since)));
      asked += way_of_a_step();
      step(k, asked);
      if (k % 50 == 0) gets(Heartbeat{kSession});
      run_until(zero + after(kStep * (static_cast<double>(k) + 1.5)));
    }
    run_until(zero + after(kStep * (static_cast<double>(k) + 2.1)));
    return node->last_step();
  }

  testing::TemporaryFolder folder;
  ErringRig rig;
  HostClock clock;
  testing::ScriptedTransport transport;
  std::counting_semaphore<> durable{0};
  std::unique_ptr<journal::JournalRecorder> recorder;
  std::unique_ptr<SiteNode> node;
  ExecutionMode mode;
  safety::SafeAction action;
  double force;
  double check_motion = 0.0;  ///< of the start checks, from the next life on; 0: none [m]
  Configure configure;
  TimePoint zero{};
  double asked = 0.0;  ///< of real time: target that was sent last
};

}  // namespace trestle::site_node::laboratory
