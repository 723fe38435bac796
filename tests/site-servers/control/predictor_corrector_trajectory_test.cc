#include "site-servers/trajectory/predictor_corrector_trajectory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <utility>
#include <vector>

namespace trestle::continuous_motion_test {
namespace {

constexpr double kTick = 1e-3;
constexpr int kTicks = 20;
constexpr double kStep = kTick * kTicks;

using Stream = std::function<InterfaceMotion(std::int64_t)>;

InterfaceLayout layout(double rate, double acceleration) {
  return {{.name = "floor.x", .rate_limit = rate, .acceleration_limit = acceleration},
          {.name = "roof.x", .rate_limit = 2.0 * rate, .acceleration_limit = acceleration}};
}

const InterfaceLayout kFree{{.name = "floor.x"}, {.name = "roof.x"}};

trajectory::ContinuousSettings settings(int order = 3) {
  return {.tick = kTick, .ticks_per_step = kTicks, .scale = 1.0, .order = order};
}

/// x and a third of it, later: both DOFs move and never together.
InterfaceMotion at(double x, double v, double a, double x2, double v2, double a2) {
  InterfaceMotion target = InterfaceMotion::zero(2);
  target.displacement << x, x2;
  target.velocity << v, v2;
  target.acceleration << a, a2;
  return target;
}

/// 10 mm at this frequency [Hz].
Stream harmonic(double frequency) {
  return [w = 2.0 * M_PI * frequency](std::int64_t k) {
    const double t = static_cast<double>(k) * kStep;
    const auto x = [&](double phase, double size) {
      return size * std::sin(w * t + phase);
    };
    const double q = M_PI / 2.0;
    return at(x(0.0, 0.01), w * x(q, 0.01), -w * w * x(0.0, 0.01), x(1.0, 0.003),
              w * x(1.0 + q, 0.003), -w * w * x(1.0, 0.003));
  };
}

/// A damped oscillator shaken by noise, made step by step as an integrator would.
Stream earthquake(std::uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> shake(0.0, 3.0);
  std::vector<InterfaceMotion> made;
  for (int dof = 0; dof < 2; ++dof) {
    const double w = 2.0 * M_PI * (dof == 0 ? 1.5 : 2.5);
    double x = 0.0, v = 0.0;
    for (std::size_t k = 0; k < 500; ++k) {
      const double a = -w * w * x - 0.1 * w * v + shake(random);
      if (dof == 0) made.push_back(InterfaceMotion::zero(2));
      made[k].displacement[dof] = x;
      made[k].velocity[dof] = v;
      made[k].acceleration[dof] = a;
      v += kStep * a;
      x += kStep * v;
    }
  }
  return [made](std::int64_t k) {
    return made[static_cast<std::size_t>(k) % made.size()];
  };
}

/// Targets that have nothing to do with one another.
Stream nonsense(std::uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> value(-1.0, 1.0);
  std::vector<InterfaceMotion> made;
  for (int k = 0; k < 300; ++k)
    made.push_back(at(0.02 * value(random), 0.5 * value(random), 9.0 * value(random),
                      0.02 * value(random), 0.5 * value(random), 9.0 * value(random)));
  return [made](std::int64_t k) {
    return made[static_cast<std::size_t>(k) % made.size()];
  };
}

/// What a run showed.
struct Worst {
  double rate = 0.0;          ///< over the limit, of ways per tick
  double acceleration = 0.0;  ///< over the limit, of changes of ways
  double jump = 0.0;          ///< of the told velocity, over limit · tick
  double told = 0.0;          ///< told velocity over the limit
  int slowed = 0;
  int held = 0;
  int missed_targets = 0;  ///< a step that did not end at its target to the bit
};

/// Steps whose targets come `late` steps behind the last one's arrival, or none for a
/// while.
Worst run(trajectory::PredictorCorrectorTrajectory& motion, const InterfaceLayout& limits,
          const Stream& stream, int steps, std::uint32_t seed,
          const std::vector<double>& lateness) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<std::size_t> pick(0, lateness.size() - 1);
  Worst worst;
  motion.start(InterfaceVector::Constant(2, 1e-4));
  InterfaceVector before = InterfaceVector::Constant(2, 1e-4);
  InterfaceVector way = InterfaceVector::Zero(2);
  InterfaceVector told = InterfaceVector::Zero(2);
  bool first = true;
  const auto tick = [&] {
    const InterfaceMotion now = motion.next();
    const InterfaceVector moved = now.displacement - before;
    for (Eigen::Index i = 0; i < 2; ++i) {
      const InterfaceDof& dof = limits[static_cast<std::size_t>(i)];
      worst.rate = std::max(worst.rate, std::abs(moved[i]) / (dof.rate_limit * kTick));
      worst.acceleration =
          std::max(worst.acceleration,
                   std::abs(moved[i] - way[i]) / (dof.acceleration_limit * kTick * kTick));
      worst.told = std::max(worst.told, std::abs(now.velocity[i]) / dof.rate_limit);
      if (!first)
        worst.jump = std::max(worst.jump, std::abs(now.velocity[i] - told[i]) /
                                              (dof.acceleration_limit * kTick));
    }
    way = moved;
    before = now.displacement;
    told = now.velocity;
    worst.slowed += motion.phase() == trajectory::TrajectoryPhase::kSlowing ? 1 : 0;
    worst.held += motion.phase() == trajectory::TrajectoryPhase::kHolding ? 1 : 0;
    return now;
  };
  for (std::int64_t k = 0; k < steps; ++k) {
    const InterfaceMotion target = stream(k);
    const double late = lateness[pick(random)];
    const int travel = static_cast<int>(std::lround(late * kTicks));
    for (int n = 0; n < travel; ++n) tick();
    motion.aim(target, kTicks - travel);
    while (!motion.arrived()) tick();
    first = false;
    if (before != target.displacement) ++worst.missed_targets;
  }
  return worst;
}

const std::vector<double> kOnTime{0.0, 0.3, 0.5};
const std::vector<double> kSomewhatLate{0.1, 0.4, 0.7, 0.9, 1.1, 1.5, 2.0, 3.0};
const std::vector<double> kOutages{0.2, 0.2, 0.3, 0.4, 0.3, 0.2, 20.0};

/// Theory: where velocity is continuous and |acceleration| <= A between the ticks, the way
/// of a tick is at most V·δt, and the second difference of the displacement, which is the
/// acceleration's mean over two ticks, weighted by a triangle, at most A·δt²; so is the
/// change of the told velocity. What is left is rounding: 2e-16 · 20 mm over A·δt² of 5e-7
/// m.
constexpr double kRounding = 1.0 + 1e-8;
// If the predictor leaves its path, the reported velocity is the last tick's mean: half a
// tick behind, at either end.
constexpr double kHalfATickBehind = 2.0 * kRounding;

TEST(PredictorCorrectorTrajectory, NeverExceedsItsLimitsWhateverComesWhenever) {
  int slowed = 0;
  int held = 0;
  for (std::uint32_t seed = 0; seed < 240; ++seed) {
    const std::vector<Stream> streams{harmonic(0.5 + 0.02 * seed), earthquake(seed),
                                      nonsense(seed)};
    const std::vector<std::vector<double>> latenesses{kOnTime, kSomewhatLate, kOutages};
    // From generous to absurdly tight for these targets.
    const InterfaceLayout limits =
        layout(std::pow(10.0, -1.7 + 0.01 * (seed % 170)), 0.5 + 0.2 * (seed % 101));
    trajectory::PredictorCorrectorTrajectory motion(
        limits, settings(1 + static_cast<int>(seed) % 4));
    const Worst worst =
        run(motion, limits, streams[seed % 3], 60, seed, latenesses[seed / 3 % 3]);
    EXPECT_LE(worst.rate, kRounding) << seed;
    EXPECT_LE(worst.acceleration, kRounding) << seed;
    EXPECT_LE(worst.told, kRounding) << seed;
    EXPECT_LE(worst.jump, kHalfATickBehind) << seed;
    EXPECT_EQ(worst.missed_targets, 0) << seed;
    slowed += worst.slowed;
    held += worst.held;
  }
  EXPECT_GT(slowed, 1000);
  EXPECT_GT(held, 1000) << "all phases were met";
}

TEST(PredictorCorrectorTrajectory, RampAndHoldKeepsTheSameLimits) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const InterfaceLayout limits = layout(0.02 + 0.01 * (seed % 13), 1.0 + seed % 7);
    trajectory::ContinuousSettings hold = settings();
    hold.ramp_and_hold = true;
    trajectory::PredictorCorrectorTrajectory motion(limits, hold);
    const Stream stream = seed % 2 == 0 ? earthquake(seed) : nonsense(seed);
    const Worst worst = run(motion, limits, stream, 40, seed, kSomewhatLate);
    EXPECT_LE(worst.rate, kRounding);
    EXPECT_LE(worst.acceleration, kRounding);
    EXPECT_LE(worst.jump, kRounding);
    EXPECT_EQ(worst.missed_targets, 0);
    EXPECT_GT(worst.held, 0);
  }
}

/// Error after one step of prediction, of a smooth motion on time.
double error_of_prediction(int order, double step) {
  trajectory::PredictorCorrectorTrajectory motion(kFree, {.tick = step / 50,
                                                          .ticks_per_step = 50,
                                                          .scale = 1.0,
                                                          .order = order,
                                                          .slow_down_after = 0.999,
                                                          .hold_after = 1.0});
  const auto x = [](double t) {
    return 0.01 * std::sin(9.0 * t + 0.4);
  };
  const auto v = [](double t) {
    return 0.09 * std::cos(9.0 * t + 0.4);
  };
  motion.start(InterfaceVector::Zero(2));
  for (int k = 0; k < 6; ++k) {
    const double t = (k - 5) * step;
    motion.aim(at(x(t), v(t), 0.0, x(t), v(t), 0.0), 50);
    while (!motion.arrived()) motion.next();
  }
  // Up to 0.98 of a step: there nothing is slowed down yet.
  for (int n = 0; n < 48; ++n) motion.next();
  return std::abs(motion.next().displacement[0] - x(0.98 * step));
}

TEST(PredictorCorrectorTrajectory, PredictsWithTheOrderThatItIsTold) {
  for (int order = 1; order <= 4; ++order) {
    const double coarse = error_of_prediction(order, 0.02);
    const double fine = error_of_prediction(order, 0.01);
    // T^(order+1) while the next power, times 9/s · 0.02 s, is small.
    EXPECT_NEAR(std::log2(coarse / fine), order + 1.0, 0.2) << order;
  }
  EXPECT_LT(error_of_prediction(4, 0.01), error_of_prediction(1, 0.01) / 1000.0);
}

TEST(PredictorCorrectorTrajectory, PredictsAPolynomialOfItsOrderExactly) {
  for (int order = 1; order <= 4; ++order) {
    trajectory::PredictorCorrectorTrajectory motion(kFree, settings(order));
    const auto x = [order](double t) {
      return 0.01 * std::pow(t / kStep / 6.0, order);
    };
    const auto v = [order](double t) {
      return 0.01 * order / (6.0 * kStep) * std::pow(t / kStep / 6.0, order - 1);
    };
    motion.start(InterfaceVector::Zero(2));
    for (int k = 0; k <= 6; ++k) {
      motion.aim(at(x(k * kStep), v(k * kStep), 0.0, 0.0, 0.0, 0.0), kTicks);
      while (!motion.arrived()) motion.next();
    }
    for (int n = 1; n <= 12; ++n) {
      const InterfaceMotion now = motion.next();
      const double t = 6 * kStep + n * kTick;
      // Sums of a few dozen numbers of 20 mm, and their differences over a tick.
      EXPECT_NEAR(now.displacement[0], x(t), 1e-15);
      EXPECT_NEAR(now.velocity[0], v(t), 1e-12);
      EXPECT_EQ(motion.phase(), trajectory::TrajectoryPhase::kPredicting);
    }
  }
}

TEST(PredictorCorrectorTrajectory, SlowsDownAndHoldsWhereItSays) {
  trajectory::PredictorCorrectorTrajectory motion(kFree, settings(1));
  motion.start(InterfaceVector::Zero(2));
  motion.aim(at(0.0, 0.1, 0.0, 0.0, 0.0, 0.0), kTicks);
  while (!motion.arrived()) motion.next();
  double last = 0.0;
  for (int n = 1; n <= 200; ++n) {
    const InterfaceMotion now = motion.next();
    if (n == 12) {
      EXPECT_NEAR(now.displacement[0], 0.6 * kStep * 0.1, 1e-16);
    }
    EXPECT_GE(now.displacement[0], last) << "never back";
    last = now.displacement[0];
  }
  EXPECT_EQ(motion.phase(), trajectory::TrajectoryPhase::kHolding);
  EXPECT_LE(last, 0.9 * kStep * 0.1 * kRounding);
  EXPECT_NEAR(last, 0.9 * kStep * 0.1, 1e-9);
}

TEST(PredictorCorrectorTrajectory, ReachesATargetFasterThanItsLimitWithTheLimit) {
  const InterfaceLayout limits = layout(0.05, 5.0);
  trajectory::PredictorCorrectorTrajectory motion(limits, settings());
  const Worst worst = run(
      motion, limits,
      [](std::int64_t k) {
        return at(0.001 * static_cast<double>(k), 0.4, 0.0, 0.0, 0.0, 0.0);
      },
      50, 1, kOnTime);
  EXPECT_LE(worst.rate, kRounding);
  EXPECT_LE(worst.acceleration, kRounding);
  EXPECT_EQ(worst.missed_targets, 0);
}

TEST(PredictorCorrectorTrajectory, TakesNoLongerThanItMust) {
  // On time and within its limits: every step takes its ticks.
  const InterfaceLayout limits = layout(0.5, 50.0);
  trajectory::PredictorCorrectorTrajectory motion(limits, settings());
  const Stream stream = harmonic(1.0);
  motion.start(stream(0).displacement);
  for (int k = 0; k < 50; ++k) {
    motion.aim(stream(k), kTicks);
    int ticks = 0;
    for (; !motion.arrived(); ++ticks) motion.next();
    if (k > 0) {
      EXPECT_EQ(ticks, kTicks) << k;
    }
  }
}

TEST(PredictorCorrectorTrajectory, GivesALateTargetAPartOfAStep) {
  trajectory::PredictorCorrectorTrajectory motion(kFree, settings());
  motion.start(InterfaceVector::Zero(2));
  motion.aim(at(0.001, 0.0, 0.0, 0.0, 0.0, 0.0), 0);
  EXPECT_EQ(motion.remaining_ticks(), 6);  // 0.3 of 20
}

TEST(PredictorCorrectorTrajectory, GoesByTheWallsTime) {
  trajectory::ContinuousSettings slow = settings();
  slow.scale = 10.0;
  trajectory::PredictorCorrectorTrajectory motion(kFree, slow);
  motion.start(InterfaceVector::Zero(2));
  motion.aim(at(0.001, 0.2, 3.0, 0.0, 0.0, 0.0), kTicks);
  InterfaceMotion now;
  while (!motion.arrived()) now = motion.next();
  EXPECT_DOUBLE_EQ(now.velocity[0], 0.02);
  EXPECT_DOUBLE_EQ(now.acceleration[0], 0.03);
}

TEST(PredictorCorrectorTrajectory, BeginsWithoutAJump) {
  trajectory::PredictorCorrectorTrajectory motion(kFree, settings());
  EXPECT_EQ(motion.phase(), trajectory::TrajectoryPhase::kAtTarget);
  motion.start(InterfaceVector::Constant(2, 0.005));
  for (int n = 0; n < 5; ++n) EXPECT_EQ(motion.next().displacement[0], 0.005);
  // To a moving target: the first tick after it continues with its velocity.
  motion.aim(at(0.0, 0.1, 0.0, 0.0, 0.0, 0.0), kTicks);
  double last = 0.005;
  double way = 0.0;
  const double largest = (6.0 * 0.005 / kStep + 4.0 * 0.1) / kStep;  // of the cubic's ends
  for (int n = 0; n < kTicks + 5; ++n) {
    const double now = motion.next().displacement[0];
    EXPECT_LE(std::abs(now - last - way), largest * kTick * kTick * kRounding) << n;
    way = now - last;
    last = now;
  }
  EXPECT_NEAR(way, 0.1 * kTick, 1e-15);
}

TEST(PredictorCorrectorTrajectory, HoldsAtOnce) {
  const InterfaceLayout limits = layout(0.5, 50.0);
  trajectory::PredictorCorrectorTrajectory motion(limits, settings());
  run(motion, limits, harmonic(1.0), 10, 1, kOnTime);
  for (const bool correcting : {false, true}) {
    if (correcting) motion.aim(harmonic(1.0)(11), kTicks);
    const InterfaceVector there = motion.next().displacement;
    ASSERT_NE(there[0], 0.0);
    motion.hold();
    EXPECT_TRUE(motion.arrived());
    for (int n = 0; n < 5; ++n) EXPECT_EQ(motion.next().displacement, there);
  }
}

TEST(PredictorCorrectorTrajectory, GoesOnFromASnapshotToTheBit) {
  const InterfaceLayout limits = layout(0.05, 1.0);
  trajectory::PredictorCorrectorTrajectory motion(limits, settings(4));
  motion.start(InterfaceVector::Zero(2));
  const Stream stream = earthquake(3);
  std::vector<int> seen(5, 0);
  std::int64_t k = 0;
  int waited = 0;
  for (int n = 0; n < 1500; ++n) {
    SnapshotWriter writer;
    motion.save(writer);
    trajectory::PredictorCorrectorTrajectory twin(limits, settings(4));
    SnapshotReader reader(writer.values());
    twin.restore(reader);
    ASSERT_TRUE(reader.at_end());
    if (motion.arrived() && ++waited > 80 * (k % 3)) {
      motion.aim(stream(k), kTicks / 2);
      twin.aim(stream(k), kTicks / 2);
      ++k;
      waited = 0;
    }
    const InterfaceMotion a = motion.next();
    const InterfaceMotion b = twin.next();
    ASSERT_EQ(a.displacement, b.displacement) << n;
    ASSERT_EQ(a.velocity, b.velocity) << n;
    ASSERT_EQ(a.acceleration, b.acceleration) << n;
    ASSERT_EQ(motion.phase(), twin.phase());
    ASSERT_EQ(motion.remaining_ticks(), twin.remaining_ticks());
    ++seen[static_cast<std::size_t>(motion.phase())];
  }
  for (std::size_t phase = 1; phase < seen.size(); ++phase)
    EXPECT_GT(seen[phase], 0) << phase;
}

}  // namespace
}  // namespace trestle::continuous_motion_test
