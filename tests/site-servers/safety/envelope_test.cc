#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <vector>

#include "composition/hybrid_test/rig_factory.h"
#include "site-servers/safety/guarded_safe_motion.h"
#include "site-servers/safety/safety_gate.h"
#include "tests/site-servers/safety/envelope_judge.h"

namespace trestle::safety {
namespace {

constexpr double kTick = 1.0 / 1024;
constexpr int kStreamTicks = 50;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kStreams = 30'000;
#else
constexpr int kStreams = 1'000'000;
#endif

/// SplitMix64: small and fast, the same stream everywhere.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }
  int below(int count) {
    return static_cast<int>(next() % static_cast<std::uint64_t>(count));
  }
  /// In [−1, 1).
  double even() { return static_cast<double>(next() >> 11U) * 0x1p-52 - 1.0; }

 private:
  std::uint64_t state_;
};

constexpr std::array kGarbage = {std::numeric_limits<double>::quiet_NaN(),
                                 std::numeric_limits<double>::infinity(),
                                 -std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::max(),
                                 -std::numeric_limits<double>::max(),
                                 1e300,
                                 -1e30,
                                 1e6,
                                 -0.061,
                                 0.0600001,
                                 std::numeric_limits<double>::denorm_min(),
                                 -std::numeric_limits<double>::min() / 3.0,
                                 -0.0};

/// What befalls a stream of commands from one tick on.
enum class Defect {
  kNone,
  kGarbageDrive,
  kThousandfold,
  kThousandth,
  kJump,
  kRunaway,
  kDenormal,
  kMissingDrive,
  kGarbageMeasured,
  kGarbageForce,
  kMissingMeasured,
  kLag,
  kCount
};

struct Rig {
  RigLimits limits;
  std::unique_ptr<SafetyGate> gate;
  std::unique_ptr<GuardedSafeMotion> safe;
};

double one_of(Dice& dice, double first, double second) {
  const int which = dice.below(3);
  return which == 0 ? ActuatorLimits::kNone : (which == 1 ? first : second);
}

Rig make_rig(Dice& dice) {
  Rig rig;
  const int actuators = 1 + dice.below(2);
  for (int i = 0; i < actuators; ++i)
    rig.limits.push_back({.displacement = one_of(dice, 0.06, 0.04),
                          .rate = one_of(dice, 0.4, 0.1),
                          .force = one_of(dice, 1e5, 5e4),
                          .tracking_error = one_of(dice, 0.01, 0.002),
                          .tracking_dwell = dice.below(4) * kTick,
                          .acceleration = one_of(dice, 100.0, 20.0)});
  const ActuatorVector ones = ActuatorVector::Ones(actuators);
  SafeAction action;
  action.kind = static_cast<SafeAction::Kind>(dice.below(3));
  action.rate = (dice.below(2) == 0 ? 0.05 : 5.0) * ones;
  action.acceleration = (dice.below(2) == 0 ? 5.0 : 500.0) * ones;
  action.band = 1e3 * ones;
  action.travel = 0.05 * ones;
  rig.gate = std::make_unique<SafetyGate>(rig.limits, kTick);
  rig.safe = std::make_unique<GuardedSafeMotion>(action, rig.limits, kTick);
  return rig;
}

/// One stream of commands and measurements, sound up to its defect.
class Stream {
 public:
  Stream(Dice& dice, Eigen::Index actuators)
      : dice_(dice),
        defect_(static_cast<Defect>(dice.below(static_cast<int>(Defect::kCount)))),
        from_(dice.below(kStreamTicks)),
        which_(dice.below(static_cast<int>(actuators))),
        wish_(ActuatorVector::Zero(actuators)),
        rate_(wish_) {
    for (double& value : wish_) value = 0.03 * dice.even();
  }

  const ActuatorVector& start() const { return wish_; }

  /// Of a spring of 1 MN/m that follows the last drive.
  void next(int tick, const ActuatorVector& last, ActuatorVector& drive,
            Measurement& sensed) {
    for (Eigen::Index i = 0; i < wish_.size(); ++i) {
      rate_[i] = 0.98 * rate_[i] + 15.0 * kTick * dice_.even();
      wish_[i] += kTick * rate_[i];
    }
    drive = wish_;
    sensed.displacement = last;
    sensed.force = 1e6 * last;
    if (tick >= from_) spoil(drive, sensed);
  }

 private:
  double garbage() {
    return kGarbage[static_cast<std::size_t>(
        dice_.below(static_cast<int>(kGarbage.size())))];
  }
  void spoil(ActuatorVector& drive, Measurement& sensed) {
    switch (defect_) {
      case Defect::kGarbageDrive:
        drive[which_] = garbage();
        return;
      case Defect::kThousandfold:
        drive *= 1e3;
        return;
      case Defect::kThousandth:
        drive *= 1e-3;
        return;
      case Defect::kJump:
        drive[which_] += 0.01 * dice_.even();
        return;
      case Defect::kRunaway:
        rate_[which_] = 1.1 * rate_[which_] + 1e-3;
        return;
      case Defect::kDenormal:
        drive[which_] = std::numeric_limits<double>::denorm_min();
        return;
      case Defect::kMissingDrive:
        drive.conservativeResize(drive.size() - 1);
        return;
      case Defect::kGarbageMeasured:
        sensed.displacement[which_] = garbage();
        return;
      case Defect::kGarbageForce:
        sensed.force[which_] = garbage();
        return;
      case Defect::kMissingMeasured:
        sensed.force.conservativeResize(sensed.force.size() - 1);
        return;
      case Defect::kLag:
        sensed.displacement[which_] += 0.0021;
        return;
      default:
        return;
    }
  }

  Dice& dice_;
  Defect defect_;
  int from_;
  Eigen::Index which_;
  ActuatorVector wish_;
  ActuatorVector rate_;
};

struct Account {
  std::int64_t ticks = 0;
  std::int64_t passed = 0;
  std::int64_t home = 0;  // safe motions that arrived
  std::array<int, 16> faults{};
};

/// The bits, of which −0 has other ones than 0.
bool same_bits(const ActuatorVector& one, const ActuatorVector& other) {
  if (one.size() != other.size()) return false;
  for (Eigen::Index i = 0; i < one.size(); ++i)
    if (std::bit_cast<std::uint64_t>(one[i]) != std::bit_cast<std::uint64_t>(other[i]))
      return false;
  return true;
}

/// The safe action after the trip, with separate garbage. @returns what was wrong
const char* bring_home(Dice& dice, Rig& rig, testing::EnvelopeJudge& judge,
                       Account& account) {
  judge.rest();
  const bool blind = dice.below(8) == 0;
  Measurement sensed{judge.last(), 1e6 * judge.last()};
  rig.safe->start(judge.last(), sensed, true);
  for (int tick = 0; tick < kStreamTicks; ++tick) {
    sensed.displacement = judge.last();
    sensed.force = (dice.below(50) == 0 ? -2e6 : 1e6) * judge.last();
    if (blind && dice.below(20) == 0)
      sensed.force[0] = kGarbage[static_cast<std::size_t>(dice.below(5))];
    const bool over = rig.safe->finished();
    const ActuatorVector drive = rig.safe->next(sensed);
    ++account.ticks;
    if (over && drive != judge.last()) return "a safe action that ended still moves";
    if (const char* wrong = judge.violation(drive)) return wrong;
    if (over) break;
  }
  if (rig.safe->finished() && !rig.safe->held()) ++account.home;
  return nullptr;
}

/// @returns what was wrong, or nothing
const char* run(Dice& dice, Rig& rig, Account& account) {
  Stream stream(dice, static_cast<Eigen::Index>(rig.limits.size()));
  testing::EnvelopeJudge judge(rig.limits, kTick);
  rig.gate->reset(stream.start());
  judge.start(stream.start());
  ActuatorVector drive;
  Measurement sensed;
  for (int tick = 0; tick < kStreamTicks; ++tick) {
    stream.next(tick, judge.last(), drive, sensed);
    const bool forbidden = judge.forbids(drive, sensed);
    const ActuatorVector out = rig.gate->pass(drive, sensed);
    const Fault& fault = rig.gate->fault();
    ++account.ticks;
    if (!fault) {
      ++account.passed;
      if (forbidden) return "let through what it must hold back";
      if (!same_bits(out, drive)) return "changed a drive";
      if (const char* wrong = judge.violation(out)) return wrong;
      continue;
    }
    ++account.faults[static_cast<std::size_t>(fault.kind)];
    if (!judge.is_true(fault, drive, sensed)) return "held back without a reason";
    if (!same_bits(out, judge.last())) return "did not hold";
    return bring_home(dice, rig, judge, account);
  }
  return nullptr;
}

TEST(Envelope, NoneOfAMillionStreamsOfCommandsLeavesIt) {
  Dice dice(20261122);
  std::vector<Rig> rigs;
  for (int i = 0; i < 300; ++i) rigs.push_back(make_rig(dice));
  Account account;
  for (int stream = 0; stream < kStreams; ++stream) {
    Rig& rig = rigs[static_cast<std::size_t>(stream) % rigs.size()];
    Dice own(static_cast<std::uint64_t>(stream));
    const char* wrong = run(own, rig, account);
    ASSERT_EQ(wrong, nullptr) << "stream " << stream;
  }
  // Enough of everything has been tried.
  EXPECT_GT(account.passed, 20LL * kStreams);
  EXPECT_GT(account.home, kStreams / 30);
  for (const FaultKind kind :
       {FaultKind::kNotFinite, FaultKind::kDisplacementLimit, FaultKind::kRateLimit,
        FaultKind::kForceLimit, FaultKind::kTrackingError, FaultKind::kAccelerationLimit})
    EXPECT_GT(account.faults[static_cast<std::size_t>(kind)], kStreams / 200)
        << static_cast<int>(kind);
  std::printf("%d streams, %lld ticks, %lld drives passed; %lld brought home\n", kStreams,
              static_cast<long long>(account.ticks), static_cast<long long>(account.passed),
              static_cast<long long>(account.home));
}

}  // namespace
}  // namespace trestle::safety
