#include "site-servers/compensators/narx_compensator.h"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "core/base/setting_error.h"
#include "core/math/dense_solve.h"
#include "tests/site-servers/control/tracking_trial.h"

namespace trestle::narx_compensator_test {
namespace {

using testing::run;
using testing::Track;

constexpr double kTick = 1.0 / 1024.0;

compensators::NarxSettings settings() {
  return {.tick = kTick, .order = 2, .window = 1024, .initial_delay = 0.010};
}

compensators::NarxSettings unfiltered(int order, int window) {
  return {.tick = kTick,
          .order = order,
          .window = window,
          .filter = {},
          .excitation_floor = 0.0,
          .linear_taps = order + 1};
}

/// Broadband [mm].
double measured_at(int n) {
  return n < 0 ? 0.0
               : 3.0 * std::sin(0.3 * n) + 2.0 * std::sin(1.3 * n) + std::sin(2.9 * n * n);
}

/// Shows the compensator a rig whose commands were `inverse`(tick) of what was measured.
void teach(compensators::NarxCompensator& compensator, int ticks,
           const std::function<double(int)>& inverse) {
  const ActuatorMotion rest = ActuatorMotion::zero(1);
  for (int n = 0; n < ticks; ++n)
    compensator.command(rest, ActuatorVector::Constant(1, 1e-3 * measured_at(n)),
                        ActuatorVector::Constant(1, 1e-3 * inverse(n - 1)));
}

/// One pair of the regression [mm]: what had been measured and said, and the command that
/// was in force.
struct Pair {
  double m0, m1, m2;      // measured, the newest first
  double said1, said2;    // by the compensator, the newest first
  double in_force = 0.0;  // as the rig's true inverse has it
};

/// Lets a compensator learn, and speak, while `inverse` says which command was in force.
std::vector<Pair> converse(compensators::NarxCompensator& compensator, int ticks,
                           const std::function<double(int, const Pair&)>& inverse) {
  std::vector<Pair> pairs;
  ActuatorMotion target = ActuatorMotion::zero(1);
  double said[2] = {0.0, 0.0};
  for (int n = 0; n < ticks; ++n) {
    target.displacement[0] = 1e-3 * std::sin(0.4 * n + 0.1 * n * n);
    const ActuatorVector measured = ActuatorVector::Constant(1, 1e-3 * measured_at(n));
    const double in_force = pairs.empty() ? 0.0 : pairs.back().in_force;
    const double u =
        1e3 * compensator.command(target, measured,
                                  ActuatorVector::Constant(1, 1e-3 * in_force))[0];
    pairs.push_back(
        {measured_at(n), measured_at(n - 1), measured_at(n - 2), said[0], said[1]});
    pairs.back().in_force = inverse(n, pairs.back());
    said[1] = said[0];
    said[0] = u;
  }
  pairs.pop_back();  // which the compensator has not been told yet
  return pairs;
}

/// (D'D + γI)⁻¹ D'y over the last `window` pairs.
Eigen::VectorXd regression(const std::vector<Pair>& pairs, int window, double ridge,
                           const std::function<std::vector<double>(const Pair&)>& row) {
  const auto columns = static_cast<Eigen::Index>(row(pairs.front()).size());
  Eigen::MatrixXd A = ridge * Eigen::MatrixXd::Identity(columns, columns);
  Eigen::VectorXd b = Eigen::VectorXd::Zero(columns);
  for (auto pair = pairs.end() - window; pair != pairs.end(); ++pair) {
    const std::vector<double> values = row(*pair);
    const Eigen::Map<const Eigen::VectorXd> r(values.data(), columns);
    A += r * r.transpose();
    b += pair->in_force * r;
  }
  return math::solve_symmetric(A, b);
}

TEST(NarxCompensator, FindsTheInverseOfAnyOrder) {
  const double truth[5] = {7.0, -9.0, 4.0, -1.5, 0.3};
  for (int order = 1; order <= 4; ++order) {
    compensators::NarxCompensator compensator(1, unfiltered(order, 64));
    teach(compensator, 200, [&](int n) {
      double sum = 0.0;
      for (int i = 0; i <= order; ++i) sum += truth[i] * measured_at(n - i);
      return sum;
    });
    for (int i = 0; i <= order; ++i)
      EXPECT_NEAR(compensator.coefficients(0)[i], truth[i], 1e-8) << order;
  }
}

TEST(NarxCompensator, FindsProductsOfTaps) {
  compensators::NarxSettings nonlinear = unfiltered(2, 128);
  nonlinear.linear_taps = 2;
  nonlinear.products = {{{.tap = 1}, {.tap = 2, .power = 2.0}}, {{.tap = 2, .power = 0.5}}};
  compensators::NarxCompensator compensator(1, nonlinear);
  teach(compensator, 300, [](int n) {
    const double x2 = measured_at(n - 2);
    return 3.0 * measured_at(n) - 2.0 * measured_at(n - 1) +
           0.05 * measured_at(n - 1) * x2 * x2 + 0.7 * std::sqrt(std::abs(x2));
  });
  const double expected[4] = {3.0, -2.0, 0.05, 0.7};
  for (int i = 0; i < 4; ++i)
    EXPECT_NEAR(compensator.coefficients(0)[i], expected[i], 1e-8);
}

TEST(NarxCompensator, TakesAPowerOfTheMagnitudeOrWithTheSign) {
  compensators::NarxSettings nonlinear = unfiltered(2, 128);
  nonlinear.linear_taps = 2;
  nonlinear.products = {{{.tap = 1, .power = 3.0, .keeps_sign = true}},
                        {{.tap = 1, .power = 3.0}}};
  compensators::NarxCompensator compensator(1, nonlinear);
  teach(compensator, 300, [](int n) {
    const double x1 = measured_at(n - 1);
    return 3.0 * measured_at(n) - 2.0 * x1 + 0.02 * x1 * x1 * x1 +
           0.01 * std::abs(x1 * x1 * x1);
  });
  const double expected[4] = {3.0, -2.0, 0.02, 0.01};
  for (int i = 0; i < 4; ++i)
    EXPECT_NEAR(compensator.coefficients(0)[i], expected[i], 1e-8);
}

TEST(NarxCompensator, FindsExpressionsOfTaps) {
  compensators::NarxSettings nonlinear = unfiltered(2, 128);
  nonlinear.terms = {"x0", "sin(x2)", "x1", "x1*x2", "exp(-abs(x1))"};
  compensators::NarxCompensator compensator(1, nonlinear);
  teach(compensator, 300, [](int n) {
    const double x1 = measured_at(n - 1);
    const double x2 = measured_at(n - 2);
    return 3.0 * measured_at(n) - 2.0 * x1 + 0.7 * std::sin(x2) + 0.05 * x1 * x2 -
           0.4 * std::exp(-std::abs(x1));
  });
  const double expected[5] = {3.0, -2.0, 0.7, 0.05, -0.4};  // linear ones first
  for (int i = 0; i < 5; ++i)
    EXPECT_NEAR(compensator.coefficients(0)[i], expected[i], 1e-8) << i;
}

TEST(NarxCompensator, TermsOfTapsAloneAreTheLinearModel) {
  compensators::NarxSettings listed = unfiltered(2, 64);
  listed.ridge = 1e-9;
  compensators::NarxSettings counted = listed;
  listed.terms = {"x1", "x0", "x2"};
  compensators::NarxCompensator one(1, listed);
  compensators::NarxCompensator other(1, counted);
  for (compensators::NarxCompensator* it : {&one, &other})
    teach(*it, 200, [](int n) { return 4.0 * measured_at(n) - std::sin(0.77 * n); });
  EXPECT_EQ(one.coefficients(0), other.coefficients(0));
}

/// What the model said before is a regressor, and not the command that was in force.
TEST(NarxCompensator, FindsPredictionsOfItsOwn) {
  compensators::NarxSettings recursive = unfiltered(2, 128);
  recursive.terms = {"x0", "x1", "u1", "u2", "u1*x1"};
  compensators::NarxCompensator compensator(1, recursive);
  ActuatorMotion target = ActuatorMotion::zero(1);
  double said[3] = {0.0, 0.0, 0.0};  // by the last tick, and before it [mm]
  double x[2] = {0.0, 0.0};          // measured then
  ActuatorVector in_force = ActuatorVector::Zero(1);
  for (int n = 0; n < 600; ++n) {
    target.displacement[0] = 1e-3 * std::sin(0.4 * n + 0.1 * n * n);
    const double m = measured_at(n);
    const double u = 1e3 * compensator.command(
                               target, ActuatorVector::Constant(1, 1e-3 * m), in_force)[0];
    std::swap(x[0], x[1]);
    x[0] = m;
    // In force is what such a model of the rig calls for, whatever was commanded.
    in_force[0] = 1e-3 * (2.0 * x[0] - 1.5 * x[1] + 0.4 * said[0] - 0.3 * said[1] +
                          0.02 * said[0] * x[1]);
    said[1] = said[0];
    said[0] = u;
    if (n > 140) {
      const double expected[5] = {2.0, -1.5, 0.4, -0.3, 0.02};
      for (int i = 0; i < 5; ++i)
        ASSERT_NEAR(compensator.coefficients(0)[i], expected[i], 1e-7) << n << " " << i;
    }
  }
}

/// z² − c₁·z − c₂ has its roots inside the unit circle if |c₂| < 1 and |c₁| < 1 − c₂, and
/// z³ − c₁·z² − c₂·z − c₃ has one outside where c₁ + c₂ + c₃ > 1.
TEST(NarxCompensator, KeepsPredictionsThatFadeAwayAndNoOthers) {
  struct Case {
    double c[3];
    bool fades;
  };
  for (const Case& of : {Case{{1.5, -0.9, 0.0}, true}, Case{{-1.5, -0.9, 0.0}, true},
                         Case{{0.1, 0.85, 0.0}, true}, Case{{0.6, 0.6, 0.0}, false},
                         Case{{-0.6, 0.6, 0.0}, false}, Case{{0.3, -1.2, 0.0}, false},
                         Case{{0.5, 0.4, 0.3}, false}, Case{{0.5, 0.4, -0.3}, true}}) {
    compensators::NarxSettings recursive = unfiltered(1, 128);
    recursive.terms = {"x0", "x1", "u1", "u2", "u3"};
    compensators::NarxCompensator compensator(1, recursive);
    double before = 0.0;  // said three ticks ago
    double last = 0.0;
    const std::vector<Pair> pairs = converse(compensator, 400, [&](int, const Pair& at) {
      before = last;
      last = at.said2;
      return 2.0 * at.m0 - 1.5 * at.m1 + of.c[0] * at.said1 + of.c[1] * at.said2 +
             of.c[2] * before;
    });
    const math::NormalVector& found = compensator.coefficients(0);
    if (of.fades) {
      const double expected[5] = {2.0, -1.5, of.c[0], of.c[1], of.c[2]};
      for (int i = 0; i < 5; ++i)
        EXPECT_NEAR(found[i], expected[i], 1e-7) << of.c[0] << " " << of.c[1] << " " << i;
    } else {
      const Eigen::VectorXd without = regression(pairs, 128, 0.0, [](const Pair& at) {
        return std::vector{at.m0, at.m1};
      });
      EXPECT_NEAR(found[0], without[0], 1e-9) << of.c[0] << " " << of.c[1];
      EXPECT_NEAR(found[1], without[1], 1e-9) << of.c[0] << " " << of.c[1];
      for (int i = 2; i < 5; ++i) EXPECT_EQ(found[i], 0.0) << of.c[0] << " " << of.c[1];
    }
  }
}

TEST(NarxCompensator, RidgeIsThatOfPredictionsAndOfFurtherTermsToo) {
  const double ridge = 50.0;  // [mm²]
  compensators::NarxSettings ridged = unfiltered(2, 128);
  ridged.terms = {"x0", "x1", "u1", "u2", "x1*x2"};
  ridged.ridge = 1e-6 * ridge;
  compensators::NarxCompensator compensator(1, ridged);
  const std::vector<Pair> pairs = converse(compensator, 400, [](int n, const Pair& at) {
    return 5.0 * at.m0 - 4.0 * at.m1 + 0.3 * at.said1 - 0.2 * at.said2 +
           0.02 * at.m1 * at.m2 + std::sin(0.77 * n);
  });
  const Eigen::VectorXd expected = regression(pairs, 128, ridge, [](const Pair& at) {
    return std::vector{at.m0, at.m1, at.said1, at.said2, at.m1 * at.m2};
  });
  for (int i = 0; i < 5; ++i)
    EXPECT_NEAR(compensator.coefficients(0)[i], expected[i], 1e-9) << i;
}

/// H(z) = (1 − Σ c z⁻ʲ)/Σ a z⁻ⁱ: its gain at rest, and the delay its phase begins with.
TEST(NarxCompensator, EstimatesTheTransferByItsTapsAndPredictions) {
  compensators::NarxSettings recursive = unfiltered(2, 128);
  recursive.terms = {"x0", "x1", "u1", "u2", "u1*x1"};
  compensators::NarxCompensator compensator(1, recursive);
  converse(compensator, 400, [](int, const Pair& at) {
    return 2.0 * at.m0 - 1.5 * at.m1 + 0.4 * at.said1 - 0.3 * at.said2 +
           0.02 * at.said1 * at.m1;
  });
  const auto estimate = compensator.estimate(0);
  ASSERT_TRUE(estimate);
  EXPECT_NEAR(estimate->amplitude, 0.9 / 0.5, 1e-6);
  EXPECT_NEAR(estimate->delay, (1.5 / 0.5 + 0.2 / 0.9) * kTick, 1e-6 * kTick);
  const std::vector<std::string> names{"a0", "a1", "c1", "c2", "b0"};
  const Channels channels = compensator.coefficient_channels();
  ASSERT_EQ(channels.size(), names.size());
  std::vector<double> copied(names.size());
  compensator.copy_coefficients(0, copied);
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(channels[i].name, names[i]);
    EXPECT_EQ(copied[i], compensator.coefficients(0)[static_cast<Eigen::Index>(i)]);
  }
}

/// exp(−0.02·x) is 3e-9 at a metre, and 4e8 at a metre the other way.
TEST(NarxCompensator, BearsATermThatIsLargeOnOneSideAlone) {
  compensators::NarxSettings lopsided = unfiltered(2, 128);
  lopsided.terms = {"x0", "exp(-0.02*x1)"};
  compensators::NarxCompensator compensator(1, lopsided);
  const ActuatorMotion rest = ActuatorMotion::zero(1);
  const auto inverse = [](int n) {
    return 2.0 * measured_at(n) + 1e-5 * std::exp(-2.0 * measured_at(n - 1));
  };
  for (int n = 0; n < 300; ++n)  // up to 600 mm
    compensator.command(rest, ActuatorVector::Constant(1, 0.1 * measured_at(n)),
                        ActuatorVector::Constant(1, 0.1 * inverse(n - 1)));
  EXPECT_NEAR(compensator.coefficients(0)[0], 2.0, 1e-6);
  EXPECT_NEAR(compensator.coefficients(0)[1], 1e-3, 1e-9);
}

/// 60 mm to the third power are 2e5, as a linear tap never is.
TEST(NarxCompensator, BearsProductsOfLargeMotions) {
  compensators::NarxSettings cubic = unfiltered(1, 128);
  cubic.products = {{{.tap = 1, .power = 3.0, .keeps_sign = true}}};
  compensators::NarxCompensator compensator(1, cubic);
  const ActuatorMotion rest = ActuatorMotion::zero(1);
  const auto inverse = [](int n) {  // [mm], of ten times the motion
    const double x1 = 10.0 * measured_at(n - 1);
    return 20.0 * measured_at(n) - 0.5 * x1 + 1e-3 * x1 * x1 * x1;
  };
  for (int n = 0; n < 300; ++n)
    compensator.command(rest, ActuatorVector::Constant(1, 1e-2 * measured_at(n)),
                        ActuatorVector::Constant(1, 1e-3 * inverse(n - 1)));
  const double expected[3] = {2.0, -0.5, 1e-3};
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(compensator.coefficients(0)[i], expected[i], 1e-7) << i;
}

TEST(NarxCompensator, HasALinearFormOfExpressionsOfPredictions) {
  compensators::NarxSettings recursive = unfiltered(1, 128);
  recursive.terms = {"x0", "x1", "u1", "sin(0.5*u2)"};
  compensators::NarxCompensator compensator(1, recursive);
  converse(compensator, 400, [](int, const Pair& at) {
    return 2.0 * at.m0 - 1.5 * at.m1 + 0.3 * at.said1 + 0.4 * std::sin(0.5 * at.said2);
  });
  const auto form = compensator.linearise(0);
  ASSERT_TRUE(form);
  const double targets[5] = {2.0, -1.5, 0.0, 0.0, 0.0};
  const double commands[4] = {0.3, 0.2, 0.0, 0.0};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(form->targets.at(i), targets[i], 1e-7);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(form->commands.at(i), commands[i], 1e-7);
}

TEST(NarxCompensator, CommandsFromItsPredictions) {
  compensators::NarxSettings recursive = unfiltered(1, 128);
  recursive.terms = {"x0", "u1", "0.1*u2^2", "x1*u1"};
  compensators::NarxCompensator compensator(1, recursive);
  const auto form = compensator.linearise(0);
  EXPECT_EQ(form->targets, (std::vector<double>{1, 0, 0, 0, 0}));
  EXPECT_EQ(form->commands, (std::vector<double>{0, 0, 0, 0}));
  ActuatorMotion target = ActuatorMotion::zero(1);
  double u[3] = {0.0, 0.0, 0.0};
  double x[2] = {0.0, 0.0};
  ActuatorVector in_force = ActuatorVector::Zero(1);
  double in_force_before = 0.0;
  for (int n = 0; n < 400; ++n) {
    target.displacement[0] = 1e-3 * std::sin(0.3 * n);
    const ActuatorVector measured = ActuatorVector::Constant(1, 1e-3 * measured_at(n));
    const double found = 1e3 * compensator.command(target, measured, in_force)[0];
    u[2] = u[1];
    u[1] = u[0];
    u[0] = found;
    x[1] = x[0];
    x[0] = 1e3 * target.displacement[0];
    if (n > 2) {
      const math::NormalVector& a = compensator.coefficients(0);
      ASSERT_NEAR(found,
                  a[0] * x[0] + a[1] * u[1] + a[2] * 0.1 * u[2] * u[2] + a[3] * x[1] * u[1],
                  1e-9 * (1.0 + std::abs(found)))
          << n;
    }
    in_force_before = 0.5 * measured_at(n) + 0.4 * in_force_before;
    in_force[0] = 1e-3 * in_force_before;
  }
}

TEST(NarxCompensator, HasALinearFormIfItsTermsHave) {
  compensators::NarxSettings nonlinear = unfiltered(2, 64);
  nonlinear.terms = {"x0", "u1", "sin(2*x2)", "x1*u2", "0.5*u3"};
  compensators::NarxCompensator smooth(1, nonlinear);
  teach(smooth, 200, [](int n) {
    return 3.0 * measured_at(n) + 0.7 * std::sin(2.0 * measured_at(n - 2));
  });
  const auto form = smooth.linearise(0);
  ASSERT_TRUE(form);
  const math::NormalVector& a = smooth.coefficients(0);
  EXPECT_NEAR(a[2], 0.7, 1e-6);
  EXPECT_EQ(form->targets, (std::vector<double>{a[0], 0.0, 2.0 * a[2], 0.0, 0.0}));
  EXPECT_EQ(form->commands, (std::vector<double>{a[1], 0.0, 0.5 * a[4], 0.0}));
  nonlinear.terms = {"x0", "exp(-abs(x1))"};
  compensators::NarxCompensator bent(1, nonlinear);
  EXPECT_TRUE(bent.linearise(0));  // the bent term has no weight yet
  teach(bent, 200,
        [](int n) { return measured_at(n) + std::exp(-std::abs(measured_at(n - 1))); });
  EXPECT_FALSE(bent.linearise(0));
}

TEST(NarxCompensator, HasALinearFormIfItsProductsHave) {
  compensators::NarxSettings nonlinear = unfiltered(2, 128);
  nonlinear.linear_taps = 2;
  nonlinear.products = {{{.tap = 1}, {.tap = 2}}, {{.tap = 2}}};
  compensators::NarxCompensator smooth(1, nonlinear);
  teach(smooth, 300, [](int n) {
    return 3.0 * measured_at(n) - 2.0 * measured_at(n - 1) + 0.5 * measured_at(n - 2) +
           0.05 * measured_at(n - 1) * measured_at(n - 2);
  });
  const auto form = smooth.linearise(0);
  ASSERT_TRUE(form);
  const double expected[5] = {3.0, -2.0, 0.5, 0.0, 0.0};
  ASSERT_EQ(form->targets.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(form->targets[i], expected[i], 1e-8) << i;
  EXPECT_TRUE(form->commands.empty());
  nonlinear.products = {{{.tap = 2, .power = 0.5}}};  // vertical at rest
  compensators::NarxCompensator steep(1, nonlinear);
  EXPECT_TRUE(steep.linearise(0));  // that term has no weight yet
  teach(steep, 300,
        [](int n) { return measured_at(n) + std::sqrt(std::abs(measured_at(n - 2))); });
  EXPECT_FALSE(steep.linearise(0));
}

TEST(NarxCompensator, BeginsAsIfItsTargetHadAlwaysStoodThere) {
  compensators::NarxCompensator compensator(1, settings());
  ActuatorMotion target = ActuatorMotion::zero(1);
  target.displacement[0] = 5e-3;
  for (int n = 0; n < 3; ++n)
    EXPECT_NEAR(compensator.command(target, ActuatorVector::Constant(1, 4e-3),
                                    ActuatorVector::Constant(1, 2e-3))[0],
                5e-3, 1e-15);
}

TEST(NarxCompensator, CommandsWhatItHasLearnt) {
  compensators::NarxSettings nonlinear = unfiltered(2, 128);
  nonlinear.linear_taps = 2;
  nonlinear.products = {{{.tap = 1}, {.tap = 2}}};
  compensators::NarxCompensator compensator(1, nonlinear);
  teach(compensator, 300, [](int n) {
    return 3.0 * measured_at(n) - 2.0 * measured_at(n - 1) +
           0.05 * measured_at(n - 1) * measured_at(n - 2);
  });
  // Targets were at rest; now 1, 2, 3 mm, while the rest of the rig's past still holds.
  ActuatorMotion target = ActuatorMotion::zero(1);
  double found = 0.0;
  for (int n = 0; n < 3; ++n) {
    target.displacement[0] = 1e-3 * (n + 1);
    const int at = 300 + n;
    found = compensator.command(
        target, ActuatorVector::Constant(1, 1e-3 * measured_at(at)),
        ActuatorVector::Constant(
            1, 1e-3 * (3.0 * measured_at(at - 1) - 2.0 * measured_at(at - 2) +
                       0.05 * measured_at(at - 2) * measured_at(at - 3))))[0];
  }
  EXPECT_NEAR(found, 1e-3 * (3.0 * 3 - 2.0 * 2 + 0.05 * 2 * 1), 1e-11);
}

TEST(NarxCompensator, RidgeIsThatOfTheTapsInMillimetres) {
  const int window = 200;
  const double ridge = 50.0;  // [mm²]
  compensators::NarxSettings ridged = unfiltered(3, window);
  ridged.ridge = 1e-6 * ridge;
  compensators::NarxCompensator compensator(1, ridged);
  const auto inverse = [](int n) {
    return 5.0 * measured_at(n) - 4.0 * measured_at(n - 1) + std::sin(0.77 * n);
  };
  teach(compensator, 500, inverse);
  // (D'D + γI)⁻¹ D'y over the pairs of ticks 299 ... 498.
  Eigen::MatrixXd D(window, 4);
  Eigen::VectorXd y(window);
  for (int r = 0; r < window; ++r) {
    for (int i = 0; i < 4; ++i) D(r, i) = measured_at(299 + r - i);
    y[r] = inverse(299 + r);
  }
  const Eigen::VectorXd expected = math::solve_symmetric(
      D.transpose() * D + ridge * Eigen::Matrix4d::Identity(), D.transpose() * y);
  for (int i = 0; i < 4; ++i)
    EXPECT_NEAR(compensator.coefficients(0)[i], expected[i], 1e-9);
}

TEST(NarxCompensator, BringsTheSpecimenThereOnTime) {
  for (const int order : {1, 2, 4}) {
    compensators::NarxSettings of_order = settings();
    of_order.order = order;
    of_order.linear_taps = order + 1;
    for (const testing::TrialRig rig :
         {testing::TrialRig{.delay = 18}, testing::TrialRig{.lag = 0.025},
          testing::TrialRig{.delay = 12, .gain = 0.9}}) {
      compensators::NarxCompensator compensator(1, of_order);
      // Uncompensated: 0.16 to 0.26. A value and a slope are a model of first order only.
      EXPECT_LT(run(compensator, {.rig = rig}).error(8.0, 12.0, 1),
                order == 1 ? 0.04 : 0.005);
    }
  }
}

TEST(NarxCompensator, LearnsThroughNoiseBehindItsFilter) {
  compensators::NarxCompensator compensator(1, settings());
  EXPECT_LT(run(compensator, {.rig = {.delay = 18, .noise = 12e-6}}).error(8.0, 12.0, 1),
            0.005);
}

TEST(NarxCompensator, KeepsInverseCompensationUntilItHasSeenMotion) {
  compensators::NarxCompensator compensator(1, settings());
  run(compensator, {.duration = 5.0, .scale = 0.0, .rig = {.delay = 18, .noise = 12e-6}});
  EXPECT_EQ(compensator.coefficients(0)[0], 1.0 + 0.010 / kTick);
  EXPECT_EQ(compensator.coefficients(0)[1], -0.010 / kTick);
  EXPECT_EQ(compensator.coefficients(0)[2], 0.0);
}

TEST(NarxCompensator, RestsInLaterSilenceWhereItIsAskedTo) {
  for (const bool rest : {true, false}) {
    compensators::NarxSettings asked = settings();
    asked.freeze_below_excitation_floor = rest;
    compensators::NarxCompensator compensator(1, asked);
    const testing::TrialRig rig{.delay = 18, .noise = 12e-6};
    run(compensator, {.duration = 6.0, .rig = rig});
    run(compensator, {.duration = 3.0, .scale = 0.0, .rig = rig});
    const math::NormalVector before = compensator.coefficients(0);
    run(compensator, {.duration = 1.0, .scale = 0.0, .rig = rig});
    EXPECT_EQ(compensator.coefficients(0) == before, rest);
  }
}

TEST(NarxCompensator, ForgetsTheRigThatWasWithinItsWindow) {
  compensators::NarxCompensator compensator(1, settings());
  const Track track =
      run(compensator,
          {.rig = {.delay = 12}, .changes_at = 6.0, .later = {.delay = 20, .gain = 0.95}});
  EXPECT_LT(track.error(8.0, 12.0, 1), 0.005);
}

TEST(NarxCompensator, RefusesASettingThatCannotWork) {
  const auto refuses = [](const std::string& path, auto change) {
    compensators::NarxSettings broken = settings();
    change(broken);
    try {
      compensators::NarxCompensator compensator(1, broken);
      ADD_FAILURE() << path;
    } catch (const SettingError& error) {
      EXPECT_EQ(error.problems().front().path, path);
    }
  };
  refuses("order", [](auto& it) { it.order = 5; });
  refuses("window", [](auto& it) { it.window = 7; });
  refuses("window", [](auto& it) { it.window = (1 << 20) + 1; });
  refuses("ridge", [](auto& it) { it.ridge = -1.0; });
  refuses("filter.frequency", [](auto& it) { it.filter.frequency = 512.0; });
  refuses("filter.order", [](auto& it) { it.filter.order = 9; });
  refuses("initial_delay", [](auto& it) { it.initial_delay = -1.0; });
  refuses("linear_taps", [](auto& it) { it.linear_taps = 4; });
  refuses("linear_taps", [](auto& it) { it.linear_taps = 0; });
  refuses("products[0].factors[0].tap", [](auto& it) { it.products = {{{.tap = 3}}}; });
  refuses("terms", [](auto& it) { it.terms = {"x1", "2*x0"}; });
  refuses("terms", [](auto& it) { it.terms.assign(17, "x0"); });
  refuses("terms[1]", [](auto& it) { it.terms = {"x0", "x3"}; });
  refuses("terms[2]", [](auto& it) { it.terms = {"x0", "x1", "x0"}; });
  refuses("initial_delay", [](auto& it) { it.terms = {"x0", "x2"}; });
  refuses("products[0].factors[1].power", [](auto& it) {
    it.products = {{{.tap = 2}, {.tap = 1, .power = 0.0}}};
  });
}

}  // namespace
}  // namespace trestle::narx_compensator_test
