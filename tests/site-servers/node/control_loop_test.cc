#include "site-servers/node/control_loop.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/base/setting_error.h"
#include "site-servers/compensators/ats_compensator.h"
#include "site-servers/compensators/no_compensator.h"
#include "site-servers/controllers/pass_through.h"
#include "site-servers/kinematics/matrix_frame.h"
#include "tests/site-servers/node/row_keeper.h"
#include "tests/site-servers/node/spring_rig.h"

namespace trestle::site_node::control_loop_test {
namespace {

using testing::SpringRig;

constexpr double kStep = 1.0 / 128;

/// Commands a fixed part more than the target, and remembers what it was handed.
class Amplifier final : public Compensator {
 public:
  ActuatorVector command(const ActuatorMotion& target, const ActuatorVector& measured,
                         const ActuatorVector& last_command) noexcept override {
    seen_target = target;
    seen_measured = measured;
    seen_command = last_command;
    return 1.25 * target.displacement;
  }
  void reset() noexcept override {}
  std::optional<LinearCompensatorModel> linearise(int /*actuator*/) const override {
    return {};
  }
  Channels coefficient_channels() const override { return {{"gain", ""}, {"lead_s", "s"}}; }
  void copy_coefficients(int actuator, std::span<double> into) const noexcept override {
    into[0] = seen_target.displacement[actuator];
    into[1] = 10.0 + actuator;
  }
  void save(SnapshotWriter& /*snapshot*/) const override {}
  void restore(SnapshotReader& /*snapshot*/) override {}

  ActuatorMotion seen_target;
  ActuatorVector seen_measured;
  ActuatorVector seen_command;
};

ControlLoopSettings settings(int ticks_per_step = 1) {
  return {.layout = {{.name = "floor.x", .displacement_limit = 0.06},
                     {.name = "floor.y", .displacement_limit = 0.06}},
          .time_step = kStep,
          .ticks_per_step = ticks_per_step,
          .ramp_duration = 0.1};
}

/// A site of two DOFs on an ideal rig, driven as a node does in lock-step.
struct Site {
  explicit Site(
      const ControlLoopSettings& with,
      const kinematics::MatrixFrame& with_frame = kinematics::MatrixFrame::identity(2),
      std::unique_ptr<Compensator> compensator =
          std::make_unique<compensators::NoCompensator>())
      : frame(with_frame),
        rig(frame.actuators()),
        loop(with, frame,
             {std::move(compensator), std::make_unique<controllers::PassThrough>()}, rig,
             &rows) {}

  Fault finish() {
    while (loop.step_open()) {
      if (const Fault fault = loop.act()) return fault;
      now += Duration(1'000'000);
      if (const Fault fault = loop.sense(now)) return fault;
    }
    return loop.fault();
  }

  Fault step(const StepCommand& command) {
    if (const Fault fault = loop.accept(command)) return fault;
    return finish();
  }

  StepResponse answer() const {
    StepResponse response;
    loop.answer(response);
    return response;
  }

  kinematics::MatrixFrame frame;
  SpringRig rig;
  testing::RowKeeper rows;
  ControlLoop loop;
  TimePoint now{};
};

StepCommand command(std::int64_t step, double x, double y) {
  StepCommand made;
  made.step = step;
  made.target = InterfaceMotion::zero(2);
  made.target.displacement << x, y;
  return made;
}

TEST(ControlLoop, AnswersTheOpeningReadAsStepMinusOne) {
  Site site(settings());
  site.rig.position << 0.001, -0.002;
  EXPECT_FALSE(site.loop.sense(TimePoint(Duration(7))));
  const StepResponse answer = site.answer();
  EXPECT_EQ(answer.step, kInitialStep);
  EXPECT_EQ(answer.measured_at, TimePoint(Duration(7)));
  EXPECT_EQ(answer.measured, (InterfaceVector{{0.001, -0.002}}));
  EXPECT_EQ(answer.force, (InterfaceVector{{1e3, -2e3}}));
  EXPECT_FALSE(site.loop.step_open());
  EXPECT_EQ(site.rig.calls, "r");
}

/// Those that made the command of the tick, behind what is measured, actuator by actuator.
TEST(ControlLoop, RecordsTheCoefficientsOfItsCompensatorIfAsked) {
  for (const bool asked : {true, false}) {
    ControlLoopSettings with = settings();
    with.record_coefficients = asked;
    Site site(with, kinematics::MatrixFrame::identity(2), std::make_unique<Amplifier>());
    site.loop.sense(site.now);
    site.step(command(0, 0.001, 0.002));
    site.step(command(1, 0.003, 0.004));
    ASSERT_EQ(site.rows.rows.size(), 2U);
    const std::vector<double>& row = site.rows.rows[1].second;
    constexpr std::size_t kMotion = 8;
    ASSERT_EQ(row.size(), asked ? kMotion + 4 : kMotion);
    if (asked) {
      EXPECT_EQ(std::vector<double>(row.begin() + kMotion, row.end()),
                (std::vector<double>{0.003, 10.0, 0.004, 11.0}));
    }
  }
}

TEST(ControlLoop, ReadsComputesAndWritesInThisOrder) {
  Site site(settings(3));
  site.loop.sense(site.now);
  site.step(command(0, 0.0, 0.0));
  EXPECT_EQ(site.rig.calls,
            "r"
            "wr"
            "wr"
            "wr");
  EXPECT_EQ(site.loop.ticks(), 3);
}

TEST(ControlLoop, MeasuresTheTargetToTheBitOnAnIdealRig) {
  for (const int ticks : {1, 5}) {
    Site site(settings(ticks));
    site.loop.sense(site.now);
    for (int k = 0; k < 20; ++k) {
      const StepCommand asked = command(k, 0.01 * std::sin(k), 0.02 * std::cos(0.3 * k));
      ASSERT_FALSE(site.step(asked));
      const StepResponse answer = site.answer();
      EXPECT_EQ(answer.step, k);
      EXPECT_EQ(answer.measured, asked.target.displacement);
      EXPECT_EQ(answer.force, SpringRig::kStiffness * asked.target.displacement);
      EXPECT_EQ(answer.actuators.target, asked.target.displacement);
      EXPECT_EQ(answer.actuators.command, asked.target.displacement);
      EXPECT_EQ(answer.actuators.measured, asked.target.displacement);
    }
  }
}

TEST(ControlLoop, GoesThroughTheLoadingFrameBothWays) {
  const kinematics::MatrixFrame frame(Eigen::MatrixXd{{1.0, 0.5}, {0.0, 2.0}});
  Site site(settings(), frame);
  site.loop.sense(site.now);
  site.step(command(0, 0.01, 0.02));
  EXPECT_TRUE(site.rig.position.isApprox(ActuatorVector{{0.02, 0.04}}, 1e-15));
  const StepResponse answer = site.answer();
  EXPECT_TRUE(answer.measured.isApprox(InterfaceVector{{0.01, 0.02}}, 1e-14));
  // Tᵀ f of the springs' 20 kN and 40 kN.
  EXPECT_TRUE(answer.force.isApprox(InterfaceVector{{20e3, 90e3}}, 1e-14));
}

TEST(ControlLoop, HidesTheFedForwardPartFromTheCompensatorOnly) {
  auto owned = std::make_unique<Amplifier>();
  const Amplifier& amplifier = *owned;
  Site site(settings(), kinematics::MatrixFrame::identity(2), std::move(owned));
  site.loop.sense(site.now);
  StepCommand asked = command(0, 0.01, 0.02);
  asked.feedforward_target = InterfaceMotion::zero(2);
  asked.feedforward_target.displacement << 0.002, 0.02;
  asked.command_feedforward = InterfaceVector{{0.003, 0.025}};
  site.step(asked);
  EXPECT_TRUE(amplifier.seen_target.displacement.isApprox(ActuatorVector{{0.008, 0.0}}));
  const ActuatorVector whole{{0.013, 0.025}};
  EXPECT_TRUE(site.rig.position.isApprox(whole, 1e-14));
  EXPECT_EQ(site.answer().actuators.target, asked.target.displacement);
  EXPECT_EQ(site.answer().actuators.command, site.rig.position);

  site.step(asked);  // and receives the whole command afterwards
  EXPECT_EQ(amplifier.seen_command, site.answer().actuators.command);
  EXPECT_TRUE(amplifier.seen_measured.isApprox(whole, 1e-14));
}

TEST(ControlLoop, RefusesATargetBeyondItsLimitAndMovesNothing) {
  Site site(settings());
  site.loop.sense(site.now);
  const Fault fault = site.loop.accept(command(0, 0.0, -0.061));
  EXPECT_EQ(fault.kind, FaultKind::kTargetLimit);
  EXPECT_EQ(fault.index, 1);
  EXPECT_EQ(fault.value, 0.061);
  EXPECT_EQ(fault.limit, 0.06);
  EXPECT_FALSE(site.loop.step_open());
  EXPECT_FALSE(site.loop.fault()) << "a refusal is no fault of the rig";
  EXPECT_EQ(site.rig.calls, "r");
  EXPECT_FALSE(site.step(command(0, 0.0, -0.06)));
}

TEST(ControlLoop, RefusesANumberThatIsNone) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Site site(settings());
  site.loop.sense(site.now);
  StepCommand velocity = command(0, 0.0, 0.0);
  velocity.target.velocity[1] = nan;
  StepCommand part = command(0, 0.0, 0.0);
  part.feedforward_target = command(0, nan, 0.0).target;
  StepCommand feedforward = command(0, 0.0, 0.0);
  feedforward.command_feedforward = InterfaceVector{{0.0, INFINITY}};
  for (const StepCommand& bad : {command(0, nan, 0.0), velocity, part, feedforward}) {
    EXPECT_EQ(site.loop.accept(bad).kind, FaultKind::kNotFinite);
    EXPECT_FALSE(site.loop.step_open());
  }
  EXPECT_EQ(site.rig.calls, "r");
}

TEST(ControlLoop, HoldsAndTellsTheNumberWhenTheGateTrips) {
  ControlLoopSettings limited = settings();
  limited.limits = {{.rate = 1.0}, {.rate = 2.0}};
  Site site(limited);
  site.loop.sense(site.now);
  ASSERT_FALSE(site.step(command(0, 0.0, 1.0 * kStep)));
  const Fault fault = site.step(command(1, 0.0, 4.0 * kStep));
  EXPECT_EQ(fault.kind, FaultKind::kRateLimit);
  EXPECT_EQ(fault.index, 1);
  EXPECT_DOUBLE_EQ(fault.value, 3.0);
  EXPECT_EQ(fault.limit, 2.0);
  EXPECT_EQ(site.rig.position[1], 1.0 * kStep) << "the last drive that passed";
  EXPECT_EQ(site.rig.calls,
            "r"
            "wr"
            "wh");
  EXPECT_FALSE(site.loop.step_open());

  // Latched: no command moves the rig any more.
  EXPECT_EQ(site.loop.accept(command(2, 0.0, 0.0)).kind, FaultKind::kRateLimit);
  EXPECT_EQ(site.loop.sense(site.now).kind, FaultKind::kRateLimit);
  EXPECT_EQ(site.loop.act().kind, FaultKind::kRateLimit);
  EXPECT_TRUE(site.loop.ramp(site.now));
  EXPECT_EQ(site.rig.calls,
            "r"
            "wr"
            "wh");
}

TEST(ControlLoop, TripsAtTheReadThatFeelsTooMuchForce) {
  ControlLoopSettings limited = settings();
  limited.limits = {{.force = 15e3}, {}};
  Site site(limited);
  site.loop.sense(site.now);
  const Fault fault = site.step(command(0, 0.02, 0.0));
  EXPECT_EQ(fault.kind, FaultKind::kForceLimit);
  EXPECT_EQ(fault.index, 0);
  EXPECT_EQ(fault.value, 20e3);
  EXPECT_EQ(site.rig.calls,
            "r"
            "wrh");
  ASSERT_EQ(site.rows.rows.size(), 1U) << "the row that explains it is kept";
  EXPECT_EQ(site.rows.rows[0].second[3], 20e3);
}

TEST(ControlLoop, TripsOnTooMuchForceBeforeAnythingMoved) {
  ControlLoopSettings limited = settings();
  limited.limits = {{.force = 15e3}, {}};
  Site site(limited);
  site.rig.disturbance.force[0] = -16e3;
  EXPECT_EQ(site.loop.sense(site.now).kind, FaultKind::kForceLimit);
}

TEST(ControlLoop, NeverAnswersANumberThatIsNone) {
  Site site(settings());
  site.loop.sense(site.now);
  site.rig.disturbance.force[1] = std::numeric_limits<double>::quiet_NaN();
  const Fault fault = site.step(command(0, 0.01, 0.0));
  EXPECT_EQ(fault.kind, FaultKind::kNotFinite);
  EXPECT_EQ(fault.index, 1);
  EXPECT_TRUE(site.answer().force.allFinite());
}

TEST(ControlLoop, TripsWhenTheAdapterSaysSo) {
  for (const AdapterStatus status : {AdapterStatus::kLate, AdapterStatus::kTripped}) {
    Site reading(settings());
    reading.rig.read_status = status;
    const Fault fault = reading.loop.sense(reading.now);
    EXPECT_EQ(fault.kind, FaultKind::kAdapter);
    EXPECT_EQ(fault.value, static_cast<double>(status));
    EXPECT_EQ(reading.rig.calls, "rh");
    Site writing(settings());
    writing.loop.sense(writing.now);
    writing.rig.write_status = status;
    EXPECT_EQ(writing.step(command(0, 0.0, 0.0)).kind, FaultKind::kAdapter);
  }
}

TEST(ControlLoop, StopsWhenTheRecordLosesARow) {
  Site site(settings());
  site.loop.sense(site.now);
  site.rows.full = true;
  EXPECT_EQ(site.step(command(0, 0.0, 0.0)).kind, FaultKind::kJournal);
}

TEST(ControlLoop, RecordsEachTickWithTheReadThatFollows) {
  Site site(settings(2), kinematics::MatrixFrame::identity(2),
            std::make_unique<Amplifier>());
  site.loop.sense(site.now);
  site.step(command(0, 0.0, 0.0));
  site.step(command(1, 0.02, 0.0));
  ASSERT_EQ(site.rows.rows.size(), 4U);
  const auto& [index, row] = site.rows.rows[3];
  EXPECT_EQ(index, 3);
  EXPECT_EQ(row[0], 0.02);
  EXPECT_EQ(row[1], 0.025);
  EXPECT_EQ(row[2], 0.025) << "what this command has done";
  EXPECT_EQ(row[3], 25e3);
  EXPECT_DOUBLE_EQ(site.rows.rows[2].second[0], 0.01) << "half way, at rest at both ends";
}

TEST(ControlLoop, RampsToTheSafePositionWithinItsRate) {
  ControlLoopSettings limited = settings();
  limited.limits = {{.rate = 0.5}, {.rate = 0.5}};
  Site site(limited);
  site.rig.position << 0.04, -0.01;
  site.loop.sense(site.now);
  ASSERT_FALSE(site.step(command(0, 0.042, -0.01)));
  ASSERT_FALSE(site.loop.ramp(site.now));
  EXPECT_EQ(site.rig.position[0], 0.042) << "it stops first";
  int ticks = 1;
  while (!site.loop.ramp(site.now)) ASSERT_LT(++ticks, 100);
  EXPECT_FALSE(site.loop.fault());
  EXPECT_EQ(site.rig.position, ActuatorVector::Zero(2));
  // 42 mm at a mean of half the limit.
  EXPECT_EQ(ticks, std::ceil(0.042 / (0.25 * kStep)));
  EXPECT_EQ(site.rig.calls.substr(0, 7), "rwrwrwr") << "one read to one write";
}

TEST(ControlLoop, HoldGivesUpTheRestOfAStepAndLaterMovesOn) {
  Site site(settings(4));
  site.loop.sense(site.now);
  site.loop.accept(command(0, 0.02, 0.0));
  site.loop.act();
  site.loop.sense(site.now);
  site.loop.hold();
  EXPECT_FALSE(site.loop.step_open());
  EXPECT_FALSE(site.loop.fault());
  const double stopped = site.rig.position[0];
  EXPECT_FALSE(site.loop.accept(command(0, 0.02, 0.0)));
  site.loop.act();
  EXPECT_GT(site.rig.position[0], stopped) << "on from where it stopped";
  EXPECT_LT(site.rig.position[0], 0.02);
  site.loop.sense(site.now);
  EXPECT_FALSE(site.finish());
  EXPECT_EQ(site.rig.position[0], 0.02);
}

TEST(ControlLoop, GoesOnFromASnapshotToTheBit) {
  const auto make = [] {
    return std::make_unique<compensators::AtsCompensator>(
        2, compensators::AtsSettings{
               .tick = kStep / 2, .expected_delay = 0.01, .excitation_floor = 1e-6});
  };
  Site first(settings(2), kinematics::MatrixFrame::identity(2), make());
  Site second(settings(2), kinematics::MatrixFrame::identity(2), make());
  const auto asked = [](int k) {
    return command(k, 0.01 * std::sin(0.1 * k), 0.02 * std::sin(0.05 * k));
  };
  first.loop.sense(first.now);
  for (int k = 0; k < 50; ++k) first.step(asked(k));
  SnapshotWriter writer;
  first.loop.save(writer);
  SnapshotReader reader(writer.values());
  second.loop.restore(reader);
  second.rig.position = first.rig.position;
  EXPECT_TRUE(reader.at_end());
  EXPECT_EQ(second.answer().actuators.command, first.answer().actuators.command);
  for (int k = 50; k < 100; ++k) {
    ASSERT_FALSE(first.step(asked(k)));
    ASSERT_FALSE(second.step(asked(k)));
    ASSERT_EQ(second.rig.position, first.rig.position);
  }
  EXPECT_EQ(second.loop.step(), 99);
  EXPECT_EQ(second.rows.rows.back(), first.rows.rows.back());
}

TEST(ControlLoop, ResetBeginsAnotherRun) {
  ControlLoopSettings limited = settings();
  limited.limits = {{.displacement = 0.01}, {}};
  Site site(limited);
  site.loop.sense(site.now);
  EXPECT_EQ(site.step(command(0, 0.02, 0.0)).kind, FaultKind::kDisplacementLimit);
  site.loop.reset();
  EXPECT_FALSE(site.loop.sense(site.now));
  EXPECT_EQ(site.answer().step, kInitialStep);
  EXPECT_FALSE(site.step(command(0, 0.005, 0.0)));
  EXPECT_EQ(site.rows.rows.back().first, 0);
}

TEST(ControlLoop, RefusesSettingsThatDoNotFit) {
  const auto refuses = [](const auto& spoil) {
    ControlLoopSettings spoiled = settings();
    spoil(spoiled);
    EXPECT_THROW(Site site(spoiled), SettingError);
  };
  refuses([](ControlLoopSettings& s) { s.time_step = 0.0; });
  refuses([](ControlLoopSettings& s) { s.ticks_per_step = 0; });
  refuses([](ControlLoopSettings& s) { s.record_every = 0; });
  refuses([](ControlLoopSettings& s) { s.ramp_duration = -1.0; });
  refuses([](ControlLoopSettings& s) { s.layout.pop_back(); });
  refuses([](ControlLoopSettings& s) { s.layout[0].role = DofRole::kForceOnly; });
  refuses([](ControlLoopSettings& s) { s.layout[0].displacement_limit = -1.0; });
  refuses([](ControlLoopSettings& s) { s.limits.resize(3); });
  refuses([](ControlLoopSettings& s) { s.limits = {{.rate = 0.0}, {}}; });
}

// What an accelerometer says goes into the force that the integrator gets.
TEST(ControlLoop, TripsWhereAnAccelerometerFails) {
  ControlLoopSettings measured = settings();
  measured.specimen_mass = Eigen::MatrixXd::Identity(2, 2) * 100.0;
  measured.inertia_measured = true;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const std::vector<double>& failed : {std::vector<double>{0.5, nan}, {0.5}, {}}) {
    Site site(measured);
    site.rig.felt = {0.5, 0.25};
    ASSERT_FALSE(site.loop.sense(site.now));
    ASSERT_FALSE(site.step(command(0, 1e-3, 0.0)));
    EXPECT_DOUBLE_EQ(site.answer().force[0], SpringRig::kStiffness * 1e-3 - 50.0);
    site.rig.felt = failed;
    EXPECT_EQ(site.step(command(1, 1e-3, 0.0)).kind, FaultKind::kNotFinite);
    EXPECT_EQ(site.rig.calls.back(), 'h') << "it is not told to hold";
    const double drive = site.rig.position[0];
    site.loop.act();
    EXPECT_EQ(site.rig.position[0], drive);
  }
}

}  // namespace
}  // namespace trestle::site_node::control_loop_test
