// What the control thread does for a person's command between two tests: readings, and
// motions that need the person.
#include "site-servers/node/rig_service_loop.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "core/timing/virtual_clock.h"

namespace trestle::site_node::rig_service_loop_test {
namespace {

constexpr double kTick = 1.0 / 128;
constexpr Duration kTickTime{7'812'500};
constexpr double kNone = std::numeric_limits<double>::infinity();

/// An ideal rig on springs that writes down its drives and their times.
class Rig final : public SiteAdapter {
 public:
  explicit Rig(int actuators) : position(ActuatorVector::Zero(actuators)) {}
  RigDescription description() const override {
    RigDescription description;
    description.actuators.resize(static_cast<std::size_t>(position.size()));
    description.real_equipment = true;
    description.reactions = 1;
    description.extra = {{"oil", "bar"}};
    return description;
  }
  void prepare(const RigRun& /*run*/) override {}
  AdapterStatus read(TimePoint /*now*/, Measurement& sensed) noexcept override {
    ++reads;
    if (in_read) in_read();
    const double noise = reads % 2 == 0 ? ripple : -ripple;
    sensed.displacement = position.array() + noise;
    sensed.force = (stiffness * position).array() + offset;
    sensed.force_only.setConstant(1, 7.0);
    return status;
  }
  AdapterStatus write(const ActuatorVector& drive) noexcept override {
    if (in_write) in_write();
    position = drive;
    drives.push_back(drive);
    return write_status;
  }
  void hold() noexcept override { ++holds; }
  std::span<const double> auxiliary_channels() const noexcept override { return oil; }
  void save(SnapshotWriter& /*snapshot*/) const override {}
  void restore(SnapshotReader& /*snapshot*/) override {}

  ActuatorVector position;
  double ripple = 0.0;
  double stiffness = 1e6;
  double offset = 0.0;
  AdapterStatus status = AdapterStatus::kOk;
  AdapterStatus write_status = AdapterStatus::kOk;
  std::vector<ActuatorVector> drives;
  std::vector<double> oil{207.0};
  std::function<void()> in_read, in_write;  // what another thread does meanwhile
  int reads = 0;
  int holds = 0;
};

/// A host that was suspended at some time.
class SleepyClock final : public Clock {
 public:
  TimePoint now() const noexcept override { return clock.now(); }
  Duration asleep() const noexcept override { return slept; }
  void advance_to(TimePoint until) noexcept override { clock.advance_to(until); }
  timing::VirtualClock clock;
  Duration slept{};
};

RigServiceSettings settings(int actuators = 1) {
  RigServiceSettings settings;
  settings.tick = kTick;
  settings.limits = RigLimits(static_cast<std::size_t>(actuators));
  for (ActuatorLimits& limit : settings.limits) {
    limit.displacement = 0.06;
    limit.rate = 0.15;
    limit.force = 6e3;
  }
  settings.safe_action.kind = safety::SafeAction::Kind::kHold;
  return settings;
}

ActuatorVector one(double value) {
  return ActuatorVector::Constant(1, value);
}

/// The rig stands on its drive.
RigMotionTask way(double from, double to, double rate, double force = kNone) {
  return {RigPath(one(from), one(to), one(rate), settings().limits, kTick), one(from),
          one(force)};
}

struct Bench {
  Bench(const RigServiceSettings& settings, const RigMotionTask& task)
      : rig(static_cast<int>(task.found.size())),
        loop(settings, rig, clock, task, clock.now()) {
    rig.position = task.path.from();
    loop.hear(clock.now());
  }

  /// Ticks when it asks for it, each `late`; the person repeats the command twice a second
  /// until `silent_from`.
  void run(Duration silent_from = Duration::max(), Duration late = {},
           Duration at_most = std::chrono::seconds(60)) {
    TimePoint word = clock.now();
    while (!loop.over() && clock.now() < TimePoint{at_most}) {
      const TimePoint due = loop.tick(clock.now());
      if (loop.over()) return;
      clock.advance_to(due + late);
      if (clock.now() - word < std::chrono::milliseconds(500)) continue;
      word += std::chrono::milliseconds(500);
      if (word.time_since_epoch() <= silent_from) loop.hear(word);
    }
  }
  double fastest() const {
    double most = 0.0;
    for (std::size_t n = 1; n < rig.drives.size(); ++n)
      most =
          std::max(most, (rig.drives[n] - rig.drives[n - 1]).cwiseAbs().maxCoeff() / kTick);
    return most;
  }

  SleepyClock clock;
  Rig rig;
  RigServiceLoop loop;
};

TEST(RigServiceLoop, ReadsEveryTransducerWithMeanAndDeviationAndDrivesNothing) {
  Rig rig(2);
  rig.position << 0.01, -0.02;
  rig.ripple = 1e-6;
  SleepyClock clock;
  RigServiceLoop loop(settings(2), rig, clock, 128);
  while (!loop.over()) clock.advance_to(loop.tick(clock.now()));
  EXPECT_EQ(loop.end(), RigTaskEnd::kRead);
  EXPECT_EQ(rig.reads, 128);
  EXPECT_TRUE(rig.drives.empty());
  EXPECT_FALSE(loop.given());
  const checks::ReadingStatistics& readings = loop.readings();
  ASSERT_EQ(readings.values(), 6);
  EXPECT_EQ(readings.count(), 128);
  EXPECT_NEAR(readings.mean(0), 0.01, 1e-15);
  EXPECT_NEAR(readings.mean(1), -0.02, 1e-15);
  // Of ±a, as often each: a·√(n / (n − 1)).
  EXPECT_NEAR(readings.deviation(0), 1e-6 * std::sqrt(128.0 / 127.0), 1e-12);
  EXPECT_NEAR(readings.mean(2), 1e4, 1e-9);
  EXPECT_NEAR(readings.mean(4), 7.0, 1e-12);
  EXPECT_NEAR(readings.mean(5), 207.0, 1e-12);
  EXPECT_NEAR(readings.deviation(5), 0.0, 1e-12);
}

TEST(RigServiceLoop, MovesOnlyAtTheStatedRateFromTheDriveInForceToTheTarget) {
  Bench bench(settings(), way(0.004, 0.006, 0.001));
  bench.run();
  EXPECT_EQ(bench.loop.end(), RigTaskEnd::kThere);
  EXPECT_EQ(bench.rig.drives.front()[0], 0.004);  // repeated: the rig does not jump
  EXPECT_EQ(bench.rig.drives.back()[0], 0.006);
  EXPECT_LE(bench.fastest(), 0.001 * (1.0 + 1e-9));
  EXPECT_GE(bench.fastest(), 0.001 * 0.99);
  // 15/8 · 2 mm / 1 mm/s = 3.75 s = 480 ticks; then a quarter of a second at the end.
  EXPECT_EQ(bench.rig.drives.size(), 480U + 32U + 1U);
  EXPECT_NEAR(bench.rig.drives[240][0], 0.005, 1e-12);  // the middle, by symmetry
  EXPECT_EQ(bench.rig.holds, 1);
  EXPECT_EQ(bench.loop.given()->drive[0], 0.006);
}

/// 0.5 mm at 1 Hz about the drive in force.
RigMotionTask sine(double from, double force = kNone) {
  RigMotionTask task = way(from, from, 1.0, force);
  task.sine.emplace(one(from), one(5e-4), 128);
  return task;
}

TEST(RigServiceLoop, SwingsAboutTheDriveInForceWithoutAJumpAndMeasuresHowTheRigFollows) {
  Bench bench(settings(), sine(0.004));
  bench.rig.stiffness = 2e5;
  bench.rig.ripple = 1e-6;
  bench.run();
  ASSERT_EQ(bench.loop.end(), RigTaskEnd::kThere);
  const std::vector<ActuatorVector>& drives = bench.rig.drives;
  // Half a second at rest, seven periods, a quarter of a second at the end.
  ASSERT_EQ(drives.size(), 64U + 7U * 128U + 32U + 1U);
  for (std::size_t n = 0; n <= 64; ++n) EXPECT_EQ(drives[n][0], 0.004);
  for (std::size_t n = 64 + 7 * 128; n < drives.size(); ++n) EXPECT_EQ(drives[n][0], 0.004);
  // A sin(2πt) in its measured part, a quarter of a period after its beginning.
  EXPECT_NEAR(drives[64 + 2 * 128 + 32][0], 0.0045, 1e-15);
  EXPECT_LE(bench.fastest(), 5e-4 * (2.0 * 3.141592653589794 + 15.0 / 8.0));
  double sharpest = 0.0;
  for (std::size_t n = 2; n < drives.size(); ++n)
    sharpest = std::max(sharpest,
                        std::abs(drives[n][0] - 2.0 * drives[n - 1][0] + drives[n - 2][0]));
  EXPECT_LE(sharpest / (kTick * kTick), 5e-4 * RigSine::kPeakAcceleration);
  // It reads in each tick what the tick before has driven.
  const ExerciseFit& fit = bench.loop.fit(0);
  EXPECT_EQ(fit.displacement.count(), 4 * 128);
  EXPECT_NEAR(fit.displacement.amplitude(), 5e-4, 1e-9);
  EXPECT_NEAR(fit.displacement.lag(), 1.0, 1e-3);
  EXPECT_NEAR(fit.force.amplitude(), 100.0, 1e-9);
  EXPECT_EQ(bench.loop.readings().count(), 64);
  EXPECT_NEAR(bench.loop.readings().deviation(0), 1e-6 * std::sqrt(64.0 / 63.0), 1e-11);
  EXPECT_EQ(bench.rig.holds, 1);
}

TEST(RigServiceLoop, HoldsInTheMiddleOfASineWhenItsPersonIsSilentOrTheForceIsReached) {
  Bench silent(settings(), sine(0.0));
  silent.rig.stiffness = 2e5;
  silent.run(std::chrono::seconds(2));
  EXPECT_EQ(silent.loop.end(), RigTaskEnd::kSilent);
  EXPECT_EQ(silent.rig.drives.size(), 3U * 128U + 1U);
  EXPECT_EQ(silent.rig.holds, 1);
  Bench stiff(settings(), sine(0.0, 50.0));
  stiff.rig.stiffness = 2e5;
  stiff.run();
  EXPECT_EQ(stiff.loop.end(), RigTaskEnd::kForce);
  EXPECT_LT(std::abs(stiff.rig.position[0]), 2.5e-4 + stiff.fastest() * kTick);
}

TEST(RigServiceLoop, SwingsNothingBeforeItsPersonRepeatsTheCommandAndMeasuresFromThenOn) {
  for (const bool repeats : {false, true}) {
    SleepyClock clock;
    Rig rig(1);
    rig.position = one(0.004);
    rig.stiffness = 2e5;
    RigServiceLoop loop(settings(), rig, clock, sine(0.004), clock.now());
    while (!loop.over()) {
      if (repeats && clock.now() >= TimePoint{std::chrono::milliseconds(900)})
        loop.hear(clock.now());
      const TimePoint due = loop.tick(clock.now());
      if (!loop.over()) clock.advance_to(due);
    }
    EXPECT_EQ(loop.end(), repeats ? RigTaskEnd::kThere : RigTaskEnd::kSilent);
    // 0.9 s of 128 ticks each, then half a second at rest.
    const std::size_t at_rest = repeats ? 115 + 64 : rig.drives.size();
    ASSERT_GE(rig.drives.size(), at_rest);
    for (std::size_t n = 0; n < at_rest; ++n) ASSERT_EQ(rig.drives[n][0], 0.004) << n;
    if (!repeats) continue;
    EXPECT_EQ(loop.fit(0).displacement.count(), 4 * 128);
    EXPECT_NEAR(loop.fit(0).displacement.amplitude(), 5e-4, 1e-12);
    EXPECT_NEAR(loop.fit(0).displacement.lag(), 1.0, 1e-6);
    EXPECT_GE(loop.readings().count(), 115 + 64);
  }
}

TEST(RigServiceLoop, HoldsASineAfterItStoodStillForLongerThanTheSilence) {
  Bench bench(settings(), sine(0.0));
  bench.rig.stiffness = 2e5;
  bench.run(Duration::max(), {}, std::chrono::seconds(2));
  const std::size_t drives = bench.rig.drives.size();
  bench.clock.advance_to(bench.clock.now() + std::chrono::milliseconds(1100));
  bench.loop.hear(bench.clock.now());
  bench.loop.tick(bench.clock.now());
  EXPECT_EQ(bench.loop.end(), RigTaskEnd::kSilent);
  EXPECT_EQ(bench.rig.drives.size(), drives);
}

TEST(RigServiceLoop, SwingsOneActuatorAfterTheOther) {
  ActuatorVector amplitude(3);
  amplitude << 1e-3, 0.0, 2e-3;
  const RigSine swing(ActuatorVector::Zero(3), amplitude, 20);
  EXPECT_EQ(swing.ticks(), 2 * 7 * 20);
  for (std::int64_t tick = -1; tick <= swing.ticks(); ++tick) {
    const ActuatorVector drive = swing.at(tick);
    const int moving = swing.moving(tick);
    EXPECT_EQ(moving, tick < 0 || tick >= 280 ? -1 : tick < 140 ? 0 : 2);
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(i == moving || drive[i] == 0.0);
    EXPECT_LE(drive.cwiseAbs().maxCoeff(), moving == 2 ? 2e-3 : 1e-3);
  }
  EXPECT_EQ(swing.at(0), ActuatorVector::Zero(3));
  EXPECT_EQ(swing.at(140), ActuatorVector::Zero(3));
}

TEST(RigServiceLoop, TakesHalfOfTheLimitsWhereThePersonAsksForMore) {
  Bench bench(settings(), way(-0.05, 0.05, 10.0));
  bench.rig.stiffness = 1e3;
  bench.run();
  EXPECT_EQ(bench.loop.end(), RigTaskEnd::kThere);
  EXPECT_LE(bench.fastest(), 0.075 * (1.0 + 1e-9));
}

TEST(RigServiceLoop, MovesAllActuatorsTogetherOnAStraightLine) {
  RigServiceSettings both = settings(2);
  ActuatorVector from(2), rate(2), none(2);
  from << 0.02, -0.01;
  rate << 0.002, 0.004;
  none << kNone, kNone;
  const RigMotionTask home{RigPath(from, ActuatorVector::Zero(2), rate, both.limits, kTick),
                           from, none};
  both.limits[0].force = both.limits[1].force = 1e9;
  Bench bench(both, home);
  bench.run();
  ASSERT_EQ(bench.loop.end(), RigTaskEnd::kThere);
  for (const ActuatorVector& drive : bench.rig.drives)
    EXPECT_NEAR(drive[0], -2.0 * drive[1], 1e-15);
  EXPECT_EQ(bench.rig.drives.back(), ActuatorVector::Zero(2));
  EXPECT_EQ(home.path.ticks(), static_cast<std::int64_t>(128 * 15.0 / 8.0 * 10.0));
}

TEST(RigServiceLoop, HoldsInTheFirstTickAfterThePersonIsSilent) {
  Bench bench(settings(), way(0.0, 0.01, 0.001));
  bench.run(std::chrono::seconds(3));
  EXPECT_EQ(bench.loop.end(), RigTaskEnd::kSilent);
  EXPECT_EQ(bench.rig.holds, 1);
  // The last word came at 3 s: with the silence of 1 s the last drive is that of 4 s at the
  // latest, and the loop is over one tick later.
  const Duration end = bench.clock.now().time_since_epoch();
  EXPECT_GT(end, std::chrono::seconds(4));
  EXPECT_LE(end, std::chrono::seconds(4) + kTickTime);
  EXPECT_EQ(bench.rig.drives.size(), 4U * 128U + 1U);
  EXPECT_EQ(bench.loop.given()->drive, bench.rig.position);
  EXPECT_EQ(bench.loop.axis(0).drive, bench.rig.position[0]);
  const std::size_t drives = bench.rig.drives.size();
  EXPECT_EQ(bench.loop.tick(bench.clock.now() + kTickTime), TimePoint::max());
  EXPECT_EQ(bench.rig.drives.size(), drives);
}

TEST(RigServiceLoop, MovesNothingBeforeTheCommandIsRepeatedTheFirstTime) {
  for (const bool repeats : {false, true}) {
    SleepyClock clock;
    Rig rig(1);
    rig.position = one(0.004);
    RigServiceLoop loop(settings(), rig, clock, way(0.004, 0.006, 0.01), clock.now());
    while (!loop.over()) {
      if (repeats && clock.now() >= TimePoint{std::chrono::milliseconds(900)})
        loop.hear(clock.now());
      const TimePoint due = loop.tick(clock.now());
      if (!loop.over()) clock.advance_to(due);
    }
    EXPECT_EQ(loop.end(), repeats ? RigTaskEnd::kThere : RigTaskEnd::kSilent);
    EXPECT_EQ(rig.position[0], repeats ? 0.006 : 0.004);
    ASSERT_GT(rig.drives.size(), 115U);
    // 0.9 s of 128 ticks each: the drive in force is repeated, so that no watchdog of the
    // equipment trips.
    for (std::size_t n = 0; n < 115; ++n) EXPECT_EQ(rig.drives[n][0], 0.004);
    EXPECT_LE(clock.now(), TimePoint{std::chrono::seconds(repeats ? 3 : 1)} + kTickTime);
  }
}

TEST(RigServiceLoop, HoldsAtOnceWhenItIsAsked) {
  Bench bench(settings(), way(0.0, 0.01, 0.001));
  bench.run(Duration::max(), {}, std::chrono::seconds(2));
  ASSERT_FALSE(bench.loop.over());
  const std::size_t drives = bench.rig.drives.size();
  bench.loop.ask_to_hold();
  bench.loop.tick(bench.clock.now() + kTickTime);
  EXPECT_EQ(bench.loop.end(), RigTaskEnd::kAsked);
  EXPECT_EQ(bench.rig.drives.size(), drives);
  EXPECT_EQ(bench.rig.holds, 1);
}

TEST(RigServiceLoop, WritesNoDriveBehindAHoldThatItIsAskedForInATick) {
  for (const bool writes : {false, true}) {
    Bench bench(settings(), way(0.0, 0.01, 0.001));
    bench.run(Duration::max(), {}, std::chrono::seconds(2));
    ASSERT_FALSE(bench.loop.over());
    const std::size_t drives = bench.rig.drives.size();
    (writes ? bench.rig.in_write : bench.rig.in_read) = [&] {
      EXPECT_EQ(bench.loop.ask_to_hold(), !writes) << "the loop holds behind its drive";
    };
    bench.loop.tick(bench.clock.now() + kTickTime);
    EXPECT_EQ(bench.loop.end(), RigTaskEnd::kAsked);
    EXPECT_EQ(bench.rig.drives.size(), drives + (writes ? 1 : 0));
    EXPECT_EQ(bench.rig.holds, 1);
  }
}

// The hold comes while the tick reads that its force is beyond the laboratory's limit, or
// during the safe action.
TEST(RigServiceLoop, MovesNothingByASafeActionBehindAHold) {
  for (const bool acts : {false, true}) {
    RigServiceSettings ramps = settings();
    ramps.safe_action = {safety::SafeAction::Kind::kRampHome, one(0.005), one(0.1),
                         one(1.0), one(1.0)};
    Bench bench(ramps, way(0.0, 0.01, 0.001));
    bench.run(Duration::max(), {}, std::chrono::seconds(2));
    ASSERT_FALSE(bench.loop.over());
    bench.rig.offset = 1e9;
    if (acts) {
      bench.loop.tick(bench.clock.now() + kTickTime);
      ASSERT_TRUE(bench.loop.acts_safely());
    }
    const std::size_t drives = bench.rig.drives.size();
    bench.rig.in_read = [&] {
      EXPECT_EQ(bench.loop.ask_to_hold(), !acts) << "the loop holds";
    };
    for (int n = 1; n < 5; ++n) bench.loop.tick(bench.clock.now() + (n + 1) * kTickTime);
    EXPECT_TRUE(bench.loop.over());
    EXPECT_EQ(bench.loop.end(), RigTaskEnd::kFault);
    EXPECT_EQ(bench.rig.drives.size(), drives);
    EXPECT_EQ(bench.rig.holds, 1);
  }
}

TEST(RigServiceLoop, HoldsAtTheForceThatThePersonStatedWithoutAFault) {
  Bench bench(settings(), way(0.0, 0.01, 0.001, 2e3));
  bench.run();
  EXPECT_EQ(bench.loop.end(), RigTaskEnd::kForce);
  EXPECT_EQ(bench.loop.stopped_by(), 0);
  EXPECT_FALSE(bench.loop.fault());
  // 2 kN of 1 MN/m: 2 mm. The reading of the tick after the drive beyond it ends the
  // motion.
  EXPECT_GT(bench.rig.position[0], 0.002);
  EXPECT_LT(bench.rig.position[0], 0.002 + 0.001 * kTick);
}

TEST(RigServiceLoop, HoldsInTheTickThatSeesAForceAboveTheLaboratorysLimit) {
  Bench bench(settings(), way(0.0, 0.02, 0.002));
  bench.run();
  EXPECT_EQ(bench.loop.end(), RigTaskEnd::kFault);
  EXPECT_EQ(bench.loop.fault().kind, FaultKind::kForceLimit);
  EXPECT_EQ(bench.loop.fault().limit, 6e3);
  EXPECT_LT(bench.rig.position[0], 0.006 + 0.002 * kTick);
  EXPECT_GE(bench.rig.holds, 1);
}

TEST(RigServiceLoop, ExecutesTheLaboratorysSafeActionAfterAFault) {
  RigServiceSettings ramps = settings();
  ramps.safe_action = {safety::SafeAction::Kind::kRampHome, one(0.005), one(0.1), one(1.0),
                       one(1.0)};
  Bench bench(ramps, way(0.0, 0.02, 0.002));
  while (!bench.loop.acts_safely() && !bench.loop.over()) {
    bench.loop.hear(bench.clock.now());
    bench.clock.advance_to(bench.loop.tick(bench.clock.now()));
  }
  ASSERT_TRUE(bench.loop.acts_safely());
  EXPECT_EQ(bench.loop.fault().kind, FaultKind::kForceLimit);
  bench.clock.advance_to(bench.loop.tick(bench.clock.now()));
  EXPECT_EQ(bench.loop.axis(0).drive, bench.rig.drives.back()[0]);
  // Its person is silent now; the safe action needs none.
  while (!bench.loop.over()) bench.clock.advance_to(bench.loop.tick(bench.clock.now()));
  EXPECT_EQ(bench.loop.end(), RigTaskEnd::kFault);
  EXPECT_EQ(bench.rig.position[0], 0.0);
  EXPECT_LE(bench.fastest(), 0.005);
  EXPECT_FALSE(bench.loop.acts_safely());
  EXPECT_EQ(bench.loop.given()->drive[0], 0.0);
}

TEST(RigServiceLoop, NeverMovesARigThatTripsOrCannotBeRead) {
  for (const AdapterStatus status : {AdapterStatus::kTripped, AdapterStatus::kLate}) {
    RigServiceSettings ramps = settings();
    ramps.safe_action = {safety::SafeAction::Kind::kRampHome, one(0.005), one(0.1),
                         one(1.0), one(1.0)};
    Bench bench(ramps, way(0.0, 0.005, 0.001));
    bench.run(Duration::max(), {}, std::chrono::seconds(1));
    const std::size_t drives = bench.rig.drives.size();
    bench.rig.status = status;
    bench.loop.tick(bench.clock.now() + kTickTime);
    EXPECT_EQ(bench.loop.end(), RigTaskEnd::kFault);
    EXPECT_EQ(bench.loop.fault().kind, FaultKind::kAdapter);
    EXPECT_EQ(bench.rig.drives.size(), drives);
    EXPECT_GE(bench.rig.holds, 1);
  }
}

TEST(RigServiceLoop, DrivesNothingWhereOthersHaveMovedTheRigMeanwhile) {
  Bench bench(settings(), way(0.0, 0.005, 0.001));
  bench.rig.stiffness = 1e3;
  bench.rig.position = one(0.01);
  bench.run();
  EXPECT_EQ(bench.loop.end(), RigTaskEnd::kMoved);
  EXPECT_TRUE(bench.rig.drives.empty());
}

TEST(RigServiceLoop, IsNotFasterInTimeWhenItsTicksComeLate) {
  RigServiceSettings patient = settings();
  patient.most_overruns = 1'000'000;
  Bench bench(patient, way(0.0, 0.005, 0.002));
  bench.run(Duration::max(), kTickTime / 2);
  EXPECT_EQ(bench.loop.end(), RigTaskEnd::kThere);
  EXPECT_LE(bench.fastest(), 0.002 * (1.0 + 1e-9));
  // No tick is made up for: each drive has its own tick.
  const double took = seconds(bench.clock.now().time_since_epoch());
  EXPECT_GE(took, kTick * (static_cast<double>(bench.rig.drives.size()) - 1.0));
}

TEST(RigServiceLoop, TripsWhenTooManyTicksInARowAreLate) {
  Bench bench(settings(), way(0.0, 0.05, 0.002));
  bench.run(Duration::max(), 2 * kTickTime);
  EXPECT_EQ(bench.loop.end(), RigTaskEnd::kFault);
  EXPECT_EQ(bench.loop.fault().kind, FaultKind::kOverrun);
  EXPECT_LE(bench.rig.drives.size(), 22U);
}

TEST(RigServiceLoop, CountsATickAsLateFromTheTimeThatTheSiteStates) {
  RigServiceSettings lenient = settings();
  lenient.overrun = 3 * kTickTime;
  Bench bench(lenient, way(0.0, 0.002, 0.001));
  bench.run(Duration::max(), 2 * kTickTime);
  EXPECT_EQ(bench.loop.end(), RigTaskEnd::kThere);
  EXPECT_EQ(bench.loop.overruns(), 0);
}

TEST(RigServiceLoop, HoldsAfterItStoodStillForLongerThanTheSilenceWhateverItHearsThen) {
  Bench bench(settings(), way(0.0, 0.005, 0.001));
  bench.run(Duration::max(), {}, std::chrono::seconds(1));
  const std::size_t drives = bench.rig.drives.size();
  bench.clock.advance_to(bench.clock.now() + std::chrono::milliseconds(1100));
  bench.loop.hear(bench.clock.now());
  bench.loop.tick(bench.clock.now());
  EXPECT_EQ(bench.loop.end(), RigTaskEnd::kSilent);
  EXPECT_EQ(bench.rig.drives.size(), drives);
}

TEST(RigServiceLoop, TripsBeforeItDrivesWhenTheHostSlept) {
  Bench bench(settings(), way(0.0, 0.005, 0.001));
  bench.run(Duration::max(), {}, std::chrono::seconds(1));
  const std::size_t drives = bench.rig.drives.size();
  bench.clock.slept = std::chrono::seconds(30);
  bench.loop.tick(bench.clock.now() + kTickTime);
  EXPECT_EQ(bench.loop.fault().kind, FaultKind::kSuspended);
  EXPECT_EQ(bench.rig.drives.size(), drives);
}

TEST(RigServiceLoop, ShowsDrivePositionAndForceWhileItMoves) {
  Bench bench(settings(), way(0.001, 0.005, 0.001));
  bench.run(Duration::max(), {}, std::chrono::seconds(1));
  const RigServiceLoop::Axis axis = bench.loop.axis(0);
  EXPECT_EQ(axis.measured, axis.drive);  // an ideal rig, read after the drive
  EXPECT_GT(axis.drive, 0.001);
  EXPECT_NEAR(axis.force, 1e6 * axis.measured, 1e-6);
}

TEST(RigServiceLoop, SaysThatARigCannotBeReadAndLatchesNothing) {
  Rig rig(1);
  rig.status = AdapterStatus::kTripped;
  SleepyClock clock;
  RigServiceLoop loop(settings(), rig, clock, 128);
  loop.tick(clock.now());
  EXPECT_EQ(loop.end(), RigTaskEnd::kUnreadable);
  EXPECT_TRUE(rig.drives.empty());
}

}  // namespace
}  // namespace trestle::site_node::rig_service_loop_test
