#include "site-servers/compensators/predictive_control.h"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <array>
#include <cmath>
#include <deque>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "core/base/random.h"
#include "core/base/setting_error.h"
#include "site-servers/compensators/no_compensator.h"
#include "site-servers/controllers/pass_through.h"
#include "tests/site-servers/control/enumerated_path.h"
#include "tests/site-servers/control/servo_loop.h"

namespace trestle::predictive_control_test {
namespace {

using compensators::PerActuator;
using compensators::PredictiveControl;
using compensators::PredictiveControlSettings;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;
using testing::kTick;

constexpr double kPole[2] = {40.0, 90.0};  // [rad/s]
/// Rows: the displacements that both commands hold.
const Eigen::Matrix2d kGain = (Eigen::Matrix2d() << 0.9, 0.2, -0.1, 1.1).finished();

/// ẏᵢ = poleᵢ·(Σ gainᵢⱼ·uⱼ − yᵢ).
math::StateSpace two_lags() {
  const Eigen::Matrix2d poles = Vector2d(kPole[0], kPole[1]).asDiagonal();
  return {.A = -poles,
          .B = poles * kGain,
          .C = Eigen::Matrix2d::Identity(),
          .D = Eigen::Matrix2d::Zero()};
}

/// The rig as modelled, in closed form for held commands: y₊ = a·y + (1 − a)·gain·u.
class TwoLags {
 public:
  explicit TwoLags(int delay) : late_(static_cast<std::size_t>(delay), Vector2d::Zero()) {}

  void hold(const Vector2d& command) {
    late_.push_back(command);
    const Vector2d u = kGain * late_.front();
    late_.pop_front();
    for (int i = 0; i < 2; ++i) {
      const double a = std::exp(-kPole[i] * kTick);
      y_[i] = a * y_[i] + (1.0 - a) * u[i];
    }
  }
  const Vector2d& y() const { return y_; }
  const std::deque<Vector2d>& late() const { return late_; }

 private:
  std::deque<Vector2d> late_;  // the oldest first
  Vector2d y_ = Vector2d::Zero();
};

ActuatorMotion some_target(int n) {
  ActuatorMotion target = ActuatorMotion::zero(2);
  for (int i = 0; i < 2; ++i) {
    const double turn = 18.0 + 11.0 * i;
    target.displacement[i] = 0.01 * std::sin(turn * n * kTick);
    target.velocity[i] = 0.01 * turn * std::cos(turn * n * kTick);
    target.acceleration[i] = -0.01 * turn * turn * std::sin(turn * n * kTick);
  }
  return target;
}

/// First command of the finite-horizon linear-quadratic problem by the Riccati recursion
/// with a target, of the state z = (y, late commands, last command) under changes v of the
/// command: z₊ = A·z + B·v. Cost: |y − r|² at the ticks delay + 1 ... delay + ticks, and
/// weight·|v|² at each.
Vector2d riccati_command(const TwoLags& rig, const Vector2d& last,
                         const ActuatorMotion& target, int ticks, double weight) {
  const auto delay = static_cast<int>(rig.late().size());
  const int size = 2 + 2 * delay + 2;
  const Eigen::Matrix2d unit = Eigen::Matrix2d::Identity();
  MatrixXd A = MatrixXd::Zero(size, size);
  MatrixXd B = MatrixXd::Zero(size, 2);
  const Eigen::Matrix2d lag =
      Vector2d(std::exp(-kPole[0] * kTick), std::exp(-kPole[1] * kTick)).asDiagonal();
  const Eigen::Matrix2d entry = (unit - lag) * kGain;
  A.topLeftCorner(2, 2) = lag;
  A.block(0, 2, 2, 2) = entry;  // the oldest, or the last command if nothing is late
  if (delay == 0) B.topRows(2) = entry;
  for (int d = 0; d < delay; ++d) A.block(2 + 2 * d, 4 + 2 * d, 2, 2) = unit;
  if (delay > 0) B.middleRows(2 * delay, 2) = unit;
  A.bottomRightCorner(2, 2) = unit;
  B.bottomRows(2) = unit;
  VectorXd z = VectorXd::Zero(size);
  z.head(2) = rig.y();
  for (int d = 0; d < delay; ++d)
    z.segment(2 + 2 * d, 2) = rig.late()[static_cast<std::size_t>(d)];
  z.tail(2) = last;

  MatrixXd P = MatrixXd::Zero(size, size);
  VectorXd q = VectorXd::Zero(size);  // least cost from here: zᵀPz + 2qᵀz + ...
  Vector2d change = Vector2d::Zero();
  for (int k = delay + ticks - 1; k >= 0; --k) {
    if (k >= delay) {  // y after this tick counts
      const double ahead = k * kTick;
      P.topLeftCorner(2, 2) += unit;
      q.head(2) -= target.displacement + ahead * target.velocity;
    }
    const Eigen::Matrix2d M = weight * unit + B.transpose() * P * B;
    const MatrixXd K = M.inverse() * B.transpose() * P * A;
    const Vector2d c = M.inverse() * B.transpose() * q;
    change = -K * z - c;
    const MatrixXd closed = A - B * K;
    q = (closed.transpose() * q).eval();
    P = (A.transpose() * P * closed).eval();
  }
  return last + change;
}

PredictiveControlSettings settings(int delay = 0) {
  return {.tick = kTick,
          .plant = {.model = two_lags(), .delay = delay * kTick, .process_noise = 1.0},
          .horizon = 8.0 * kTick,
          .moves = 8,
          .change_weight = 2e-3};
}

TEST(PredictiveControl, IsTheLinearQuadraticOptimumWithoutLimits) {
  for (const int delay : {0, 1, 3}) {
    PredictiveControl compensator(2, settings(delay));
    TwoLags rig(delay);
    ActuatorVector command = ActuatorVector::Zero(2);
    for (int n = 0; n < 120; ++n) {
      const ActuatorMotion target = some_target(n);
      const Vector2d expected = riccati_command(rig, command, target, 8, 2e-3);
      command = compensator.command(target, rig.y(), command);
      ASSERT_LT((command - expected).norm(), 1e-11) << n << " with a delay of " << delay;
      rig.hold(command);
    }
    EXPECT_GT(command.norm(), 1e-3);
  }
}

/// y of the first lag over the horizon, of straight lines between knots, by recursion.
VectorXd response(const VectorXd& knots, double last, double y, int ticks) {
  VectorXd outputs(knots.size() * ticks);
  const double a = std::exp(-kPole[0] * kTick);
  Eigen::Index n = 0;
  for (Eigen::Index j = 0; j < knots.size(); ++j) {
    const double from = j > 0 ? knots[j - 1] : last;
    for (int l = 1; l <= ticks; ++l) {
      y = a * y + (1.0 - a) * (from + (knots[j] - from) * l / ticks);
      outputs[n++] = y;
    }
  }
  return outputs;
}

/// Least squares of errors and of the root of the weight times the changes per tick.
struct LeastSquares {
  MatrixXd columns;
  VectorXd right;
};

LeastSquares least_squares(int knots, int ticks, double last, double y,
                           const ActuatorMotion& target, double weight) {
  const Eigen::Index rows = static_cast<Eigen::Index>(knots) * ticks;
  LeastSquares made{MatrixXd::Zero(rows + knots, knots), VectorXd::Zero(rows + knots)};
  const VectorXd free = response(VectorXd::Zero(knots), last, y, ticks);
  for (int j = 0; j < knots; ++j)
    made.columns.col(j).head(rows) = response(VectorXd::Unit(knots, j), 0.0, 0.0, ticks);
  for (Eigen::Index n = 0; n < rows; ++n) {
    const double ahead = static_cast<double>(n) * kTick;
    made.right[n] = target.displacement[0] + ahead * target.velocity[0] - free[n];
  }
  for (int j = 0; j < knots; ++j) {
    const double root = std::sqrt(weight / ticks);
    made.columns(rows + j, j) = root;
    if (j > 0) made.columns(rows + j, j - 1) = -root;
    if (j == 0) made.right[rows] = root * last;
  }
  return made;
}

math::StateSpace one_lag() {
  return testing::first_order(kPole[0]);
}

ActuatorMotion target_of_one(int n, double scale = 1.0) {
  ActuatorMotion target = ActuatorMotion::zero(1);
  const ActuatorMotion both = some_target(n);
  target.displacement[0] = scale * both.displacement[0];
  target.velocity[0] = scale * both.velocity[0];
  target.acceleration[0] = scale * both.acceleration[0];
  return target;
}

TEST(PredictiveControl, MovesAlongStraightLinesOfSeveralTicks) {
  constexpr int kKnots = 3;
  constexpr int kTicks = 4;
  PredictiveControl compensator(1, {.tick = kTick,
                                    .plant = {.model = one_lag(), .process_noise = 1.0},
                                    .horizon = kKnots * kTicks * kTick,
                                    .moves = kKnots,
                                    .change_weight = 1e-2});
  const double a = std::exp(-kPole[0] * kTick);
  ActuatorVector y = ActuatorVector::Zero(1);
  ActuatorVector command = ActuatorVector::Zero(1);
  for (int n = 0; n < 100; ++n) {
    const ActuatorMotion target = target_of_one(n);
    const LeastSquares it = least_squares(kKnots, kTicks, command[0], y[0], target, 1e-2);
    const VectorXd knots = it.columns.colPivHouseholderQr().solve(it.right);
    const double expected = command[0] + (knots[0] - command[0]) / kTicks;
    command = compensator.command(target, y, command);
    ASSERT_NEAR(command[0], expected, 1e-12) << n;
    y[0] = a * y[0] + (1.0 - a) * command[0];
  }
}

TEST(PredictiveControl, IsTheOptimumAmongActiveSetsWithinLimits) {
  constexpr int kKnots = 3;
  constexpr double kStroke = 0.012;
  constexpr double kRate = 0.6;
  PredictiveControl compensator(1, {.tick = kTick,
                                    .plant = {.model = one_lag(), .process_noise = 1.0},
                                    .horizon = kKnots * kTick,
                                    .moves = kKnots,
                                    .change_weight = 1e-2,
                                    .stroke = kStroke,
                                    .rate = kRate,
                                    .iterations = 400});
  ASSERT_LT(compensator.program().error_bound(), 1e-9);
  const double a = std::exp(-kPole[0] * kTick);
  ActuatorVector y = ActuatorVector::Zero(1);
  ActuatorVector command = ActuatorVector::Zero(1);
  int at_stroke = 0;
  int at_rate = 0;
  for (int n = 0; n < 300; ++n) {
    const ActuatorMotion target = target_of_one(n, 1.5);
    const LeastSquares it = least_squares(kKnots, 1, command[0], y[0], target, 1e-2);
    const MatrixXd hessian = it.columns.transpose() * it.columns;
    const VectorXd expected = testing::enumerated_optimum(
        hessian, it.columns.colPivHouseholderQr().solve(it.right),
        testing::path_limits(kKnots, 0, kKnots, command[0], kStroke, kRate * kTick));
    const double last = command[0];
    command = compensator.command(target, y, command);
    ASSERT_NEAR(command[0], expected[0], 1e-9) << n;
    if (std::abs(command[0]) > kStroke - 1e-12) ++at_stroke;
    if (std::abs(command[0] - last) > kRate * kTick - 1e-12) ++at_rate;
    y[0] = a * y[0] + (1.0 - a) * command[0];
  }
  EXPECT_GT(at_stroke, 10);
  EXPECT_GT(at_rate, 10);
}

TEST(PredictiveControl, NeverCommandsBeyondStrokeOrRate) {
  PredictiveControlSettings it = settings();
  it.stroke = PerActuator(std::vector<double>{0.004, 0.006});
  it.rate = PerActuator(std::vector<double>{0.2, 0.1});
  it.horizon = 12.0 * kTick;
  it.moves = 4;
  it.iterations = 3;  // far from the optimum
  PredictiveControl compensator(2, it);
  ActuatorVector command = ActuatorVector::Zero(2);
  int limited = 0;
  for (int n = 0; n < 5000; ++n) {
    const auto any = [n](std::uint64_t channel) {
      return standard_normal({.seed = 5,
                              .stream = 2,
                              .channel = channel,
                              .index = static_cast<std::uint64_t>(n / 7)});
    };
    ActuatorMotion target = ActuatorMotion::zero(2);
    target.displacement << 0.01 * any(0), 0.01 * any(1);
    target.velocity << any(2), any(3);
    const ActuatorVector last = command;
    command = compensator.command(target, 0.5 * target.displacement, command);
    const Vector2d change = (command - last).cwiseAbs();
    ASSERT_LE(std::abs(command[0]), 0.004);
    ASSERT_LE(std::abs(command[1]), 0.006);
    ASSERT_LE(change[0], 0.2 * kTick * (1.0 + 1e-12));
    ASSERT_LE(change[1], 0.1 * kTick * (1.0 + 1e-12));
    if (change[0] > 0.199 * kTick) ++limited;
  }
  EXPECT_GT(limited, 500);
}

TEST(PredictiveControl, ReturnsFromBeyondTheStrokeAtItsRate) {
  PredictiveControlSettings it = settings();
  it.stroke = 0.004;
  it.rate = 0.1;
  PredictiveControl compensator(2, it);
  const ActuatorVector last = ActuatorVector::Constant(2, 0.01);
  ActuatorMotion target = ActuatorMotion::zero(2);
  target.displacement.setConstant(0.02);
  const ActuatorVector command =
      compensator.command(target, ActuatorVector::Constant(2, 0.01), last);
  EXPECT_NEAR(command[0], 0.01 - 0.1 * kTick, 1e-15);
  EXPECT_NEAR(command[1], 0.01 - 0.1 * kTick, 1e-15);
}

TEST(PredictiveControl, DoesNotMoveARigThatIsWhereItShallBe) {
  PredictiveControl compensator(2, settings());
  ActuatorMotion target = ActuatorMotion::zero(2);
  target.displacement << 0.003, -0.002;
  const ActuatorVector measured = target.displacement;
  ActuatorVector command(2);
  command << 0.007, 0.001;  // not what the model holds there
  const ActuatorVector first = command;
  for (int n = 0; n < 50; ++n) command = compensator.command(target, measured, command);
  EXPECT_LT((command - first).norm(), 1e-13);
}

TEST(PredictiveControl, LeavesNoErrorAtRestWithAnotherGain) {
  PredictiveControl compensator(2, settings(2));
  TwoLags rig(2);
  ActuatorMotion target = ActuatorMotion::zero(2);
  target.displacement << 0.003, -0.002;
  ActuatorVector command = ActuatorVector::Zero(2);
  for (int n = 0; n < 4000; ++n) {
    command = compensator.command(target, rig.y(), command);
    rig.hold(0.85 * command + Vector2d(1e-4, -2e-4));
  }
  EXPECT_LT((rig.y() - target.displacement).norm(), 1e-8);
}

TEST(PredictiveControl, KnowsACommandThatWasNotItsOwn) {
  PredictiveControl compensator(2, settings());
  TwoLags rig(0);
  ActuatorVector command = ActuatorVector::Zero(2);
  for (int n = 0; n < 60; ++n) {
    const ActuatorMotion target = some_target(n);
    const Vector2d expected = riccati_command(rig, command, target, 8, 2e-3);
    ASSERT_LT((compensator.command(target, rig.y(), command) - expected).norm(), 1e-11)
        << n;
    command = 0.5 * expected;  // held back on its way
    rig.hold(command);
  }
}

TEST(PredictiveControl, GoesOnFromASnapshotToTheBitWhileLimited) {
  PredictiveControlSettings it = settings(2);
  it.stroke = 0.006;
  it.rate = 0.1;
  const auto run = [](PredictiveControl& compensator, TwoLags& rig, ActuatorVector& command,
                      int from, int to) {
    std::vector<double> commands;
    for (int n = from; n < to; ++n) {
      command = compensator.command(some_target(n), rig.y(), command);
      rig.hold(command);
      commands.insert(commands.end(), command.begin(), command.end());
    }
    return commands;
  };
  PredictiveControl whole(2, it);
  TwoLags rig(2);
  ActuatorVector command = ActuatorVector::Zero(2);
  run(whole, rig, command, 0, 150);
  SnapshotWriter writer;
  whole.save(writer);
  PredictiveControl resumed(2, it);
  SnapshotReader reader(writer.values());
  resumed.restore(reader);
  EXPECT_TRUE(reader.at_end());
  TwoLags second_rig = rig;
  ActuatorVector second_command = command;
  EXPECT_EQ(run(resumed, second_rig, second_command, 150, 400),
            run(whole, rig, command, 150, 400));
}

Vector2d benchmark_error(Compensator& compensator, const std::array<double, 9>& off,
                         double noise) {
  controllers::PassThrough through;
  testing::ServoLoop loop(testing::benchmark_plant(off), through);
  loop.noise = noise;
  ActuatorVector command = ActuatorVector::Zero(2);
  Vector2d error = Vector2d::Zero();
  Vector2d energy = Vector2d::Zero();
  for (int n = 0; n < 12 * 1024; ++n) {
    ActuatorMotion target = ActuatorMotion::zero(2);
    for (const auto& [frequency, amplitude] :
         {std::pair{2.29, 2e-3}, std::pair{0.9, 1e-3}, std::pair{4.7, 0.3e-3}}) {
      const double turn = 2.0 * std::numbers::pi * frequency;
      const Vector2d shape = amplitude * Vector2d(1.0, -0.5);
      target.displacement += std::sin(turn * n * kTick) * shape;
      target.velocity += turn * std::cos(turn * n * kTick) * shape;
      target.acceleration -= turn * turn * std::sin(turn * n * kTick) * shape;
    }
    command = compensator.command(target, loop.sense(), command);
    loop.tick(command);
    if (n < 2 * 1024) continue;
    error += (loop.displacement() - target.displacement).cwiseAbs2();
    energy += target.displacement.cwiseAbs2();
  }
  return error.cwiseQuotient(energy).cwiseSqrt();
}

TEST(PredictiveControl, TracksOnTheBenchmarkWhatNoneDoesNot) {
  constexpr double kNoise = 1.2393e-5;
  const auto make = [] {
    return PredictiveControl(
        2, {.tick = kTick,
            .plant = {.model = testing::benchmark_plant(), .process_noise = 100.0}});
  };
  compensators::NoCompensator none;
  EXPECT_GT(benchmark_error(none, {}, kNoise).minCoeff(), 0.2);
  PredictiveControl nominal = make();
  const Vector2d of_nominal = benchmark_error(nominal, {}, kNoise);
  RecordProperty("nominal", std::to_string(of_nominal.maxCoeff()));
  EXPECT_LT(of_nominal.maxCoeff(), 0.015);
  PredictiveControl other = make();
  const Vector2d of_other = benchmark_error(other, {1, -1, 1, -1, 1, -1, 1, -1, 1}, kNoise);
  RecordProperty("uncertain", std::to_string(of_other.maxCoeff()));
  EXPECT_LT(of_other.maxCoeff(), 0.02);
  PredictiveControl far = make();  // three standard deviations
  const Vector2d of_far = benchmark_error(far, {-3, 3, -3, -3, -3, 3, -3, -3, 3}, kNoise);
  RecordProperty("far", std::to_string(of_far.maxCoeff()));
  EXPECT_LT(of_far.maxCoeff(), 0.06);
}

TEST(PredictiveControl, RefusesASettingThatCannotWork) {
  const auto refuses = [](const std::string& path, auto change) {
    PredictiveControlSettings broken = settings();
    change(broken);
    try {
      PredictiveControl compensator(2, broken);
      ADD_FAILURE() << path;
    } catch (const SettingError& error) {
      EXPECT_EQ(error.problems().front().path, path);
    }
  };
  refuses("moves", [](auto& it) { it.moves = 17; });
  refuses("moves", [](auto& it) { it.moves = 0; });
  refuses("horizon", [](auto& it) { it.horizon = 1.0; });
  refuses("horizon", [](auto& it) { it.horizon = std::nan(""); });
  refuses("drift", [](auto& it) { it.drift = 0.0; });
  refuses("change_weight", [](auto& it) { it.change_weight = 0.0; });
  refuses("iterations", [](auto& it) { it.iterations = 0; });
  refuses("stroke", [](auto& it) { it.stroke = 0.0; });
  refuses("rate", [](auto& it) { it.rate = PerActuator(std::vector<double>{1.0, -1.0}); });
  refuses("rate", [](auto& it) {
    it.rate = PerActuator(std::vector<double>{1.0, 1.0, 1.0});
  });
  refuses("plant.process_noise", [](auto& it) { it.plant.process_noise = 0.0; });
  refuses("plant.model", [](auto& it) { it.plant.model = one_lag(); });
  refuses("plant.model",
          [](auto& it) { it.plant.model.B.col(1) = it.plant.model.B.col(0); });
}

/// (1 − s/200)/(1 + s/150)²: a displacement that first moves the wrong way.
math::StateSpace wrong_way_at_first() {
  constexpr double kCorner = 150.0;
  constexpr double kZero = 200.0;
  math::StateSpace it;
  it.A = (Eigen::Matrix2d() << 0.0, 1.0, -kCorner * kCorner, -2.0 * kCorner).finished();
  it.B = Vector2d(0.0, kCorner * kCorner);
  it.C = (Eigen::RowVector2d() << 1.0, -1.0 / kZero).finished();
  it.D = MatrixXd::Zero(1, 1);
  return it;
}

/// The errors over the horizon are least squares of knots, state and last command, as in
/// response(); here the columns of the state x and of the last command, too.
class PlantAhead {
 public:
  PlantAhead(const math::StateSpace& plant, int knots, int ticks)
      : plant_(plant), knots_(knots), ticks_(ticks) {}

  VectorXd outputs(VectorXd x, double last, const VectorXd& knots) const {
    VectorXd y(knots_ * ticks_);
    for (int n = 0; n < knots_ * ticks_; ++n) {
      const int j = n / ticks_;
      const double from = j > 0 ? knots[j - 1] : last;
      x = held(x, from + (knots[j] - from) * (n % ticks_ + 1) / ticks_);
      y[n] = (plant_.C * x)(0);
    }
    return y;
  }

  /// The plant a tick later, by Runge and Kutta's steps of a twentieth of it.
  VectorXd held(VectorXd x, double u) const {
    constexpr int kParts = 20;
    constexpr double h = kTick / kParts;
    const auto rate = [&](const VectorXd& at) -> VectorXd {
      return plant_.A * at + plant_.B * u;
    };
    for (int i = 0; i < kParts; ++i) {
      const VectorXd a = rate(x);
      const VectorXd b = rate(x + 0.5 * h * a);
      const VectorXd c = rate(x + 0.5 * h * b);
      const VectorXd d = rate(x + h * c);
      x += h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
    }
    return x;
  }

  /// First knot per (x, last command) of the least squared outputs and changes.
  Eigen::RowVectorXd law(double weight) const {
    const Eigen::Index rows = static_cast<Eigen::Index>(knots_) * ticks_;
    const VectorXd none = VectorXd::Zero(knots_);
    const double root = std::sqrt(weight / ticks_);
    MatrixXd columns = MatrixXd::Zero(rows + knots_, knots_);
    MatrixXd right = MatrixXd::Zero(rows + knots_, 3);
    for (int j = 0; j < knots_; ++j) {
      columns.col(j).head(rows) = outputs(Vector2d::Zero(), 0.0, VectorXd::Unit(knots_, j));
      columns(rows + j, j) = root;
      if (j > 0) columns(rows + j, j - 1) = -root;
    }
    for (int i = 0; i < 2; ++i)
      right.col(i).head(rows) = -outputs(Vector2d::Unit(i), 0.0, none);
    right.col(2).head(rows) = -outputs(Vector2d::Zero(), 1.0, none);
    right(rows, 2) = root;
    return columns.colPivHouseholderQr().solve(right).row(0);
  }

 private:
  math::StateSpace plant_;
  int knots_;
  int ticks_;
};

/// Size of state and command after 2000 ticks from a start of 1, or when it exceeds 10⁶.
double size_after(const PlantAhead& plant, const Eigen::RowVectorXd& law, int ticks) {
  VectorXd x = Vector2d(1.0, 0.0);
  double command = 0.0;
  double size = 1.0;
  for (int n = 0; n < 2000 && size < 1e6; ++n) {
    const double knot = law.head(2) * x + law[2] * command;
    command += (knot - command) / ticks;
    x = plant.held(x, command);
    size = std::abs(x[0]) + std::abs(command);
  }
  return size;
}

TEST(PredictiveControl, OfSeveralTicksRefusesJustTheLoopThatGrows) {
  int grown = 0;
  for (const int ticks : {2, 3, 5, 8, 12, 16, 24, 32}) {
    constexpr int kKnots = 2;
    const PlantAhead plant(wrong_way_at_first(), kKnots, ticks);
    const double size = size_after(plant, plant.law(1e-4), ticks);
    ASSERT_TRUE(size < 1e-3 || size > 1e3) << size << " after moves of " << ticks;
    bool refused = false;
    try {
      const PredictiveControl compensator(
          1, {.tick = kTick,
              .plant = {.model = wrong_way_at_first(), .process_noise = 1.0},
              .horizon = kKnots * ticks * kTick,
              .moves = kKnots,
              .change_weight = 1e-4});
    } catch (const SettingError& error) {
      EXPECT_EQ(error.problems().front().path, "horizon");
      refused = true;
    }
    EXPECT_EQ(refused, size > 1.0) << "moves of " << ticks << " ticks";
    grown += size > 1.0 ? 1 : 0;
  }
  EXPECT_GT(grown, 1);
  EXPECT_LT(grown, 7);
}

}  // namespace
}  // namespace trestle::predictive_control_test
