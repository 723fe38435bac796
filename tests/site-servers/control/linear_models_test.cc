// The linear forms of compensators and controllers, held to the objects themselves with
// motions so small that nothing learns and nothing saturates.

#include "core/ports/linear_models.h"

#include <gtest/gtest.h>

#include "site-servers/controllers/lqg_controller.h"
#include "site-servers/controllers/pass_through.h"
#include "site-servers/controllers/pid_controller.h"
#include "site-servers/controllers/published_sliding_mode.h"
#include "site-servers/controllers/sliding_mode_controller.h"
#include "tests/site-servers/control/compensator_kinds.h"
#include "tests/site-servers/control/servo_loop.h"

namespace trestle::linear_form_test {
namespace {

using testing::CompensatorKind;
using testing::kTick;

constexpr double kSmall = 1e-9;  // of all motion [m]
constexpr int kTicks = 200;

double noise(int n, std::uint64_t channel) {
  return standard_normal(
      {.seed = 3, .stream = 1, .channel = channel, .index = static_cast<std::uint64_t>(n)});
}

/// From rest at zero.
class FormedCommand {
 public:
  explicit FormedCommand(const LinearCompensatorModel& form)
      : form_(form), targets_(form.targets.size(), 0.0), commands_(form.commands.size()) {}

  double at(double x, double v, double a) {
    shift(targets_, x);
    double u = form_.velocity * v + form_.acceleration * a;
    for (std::size_t i = 0; i < targets_.size(); ++i) u += form_.targets[i] * targets_[i];
    for (std::size_t i = 0; i < commands_.size(); ++i)
      u += form_.commands[i] * commands_[i];
    shift(commands_, u);
    return u;
  }

 private:
  static void shift(std::vector<double>& past, double newest) {
    if (past.empty()) return;
    past.pop_back();
    past.insert(past.begin(), newest);
  }
  LinearCompensatorModel form_;
  std::vector<double> targets_;
  std::vector<double> commands_;
};

class CompensatorForm : public ::testing::TestWithParam<CompensatorKind> {};

TEST_P(CompensatorForm, CommandsWhatTheCompensatorCommandsBeforeItLearns) {
  const auto compensator = GetParam().make(2, kTick);
  const auto form = compensator->linearise(1);
  if ((GetParam().of_schema || GetParam().feeds_back) && !form)
    GTEST_SKIP() << "no linear form is known";
  ASSERT_TRUE(form);
  FormedCommand formed(*form);
  ActuatorMotion target = ActuatorMotion::zero(2);
  ActuatorVector command = ActuatorVector::Zero(2);
  ActuatorVector measured = ActuatorVector::Zero(2);
  double largest = 0.0;
  for (int n = 0; n < kTicks; ++n) {
    if (n > 0) {
      target.displacement[1] = kSmall * noise(n, 0);
      target.velocity[1] = 50.0 * kSmall * noise(n, 1);
      target.acceleration[1] = 2500.0 * kSmall * noise(n, 2);
      measured[1] = kSmall * noise(n, 3);
    }
    command = compensator->command(target, measured, command);
    const double expected =
        formed.at(target.displacement[1], target.velocity[1], target.acceleration[1]);
    largest = std::max(largest, std::abs(expected));
    // Not to rounding alone: a product of taps is there, however small.
    ASSERT_NEAR(command[1], expected, 1e-11 * largest) << n;
  }
  EXPECT_GT(largest, 0.5 * kSmall);
}

const auto kName = [](const auto& it) {
  return std::string(it.param.name);
};

std::vector<CompensatorKind> kinds() {
  std::vector<CompensatorKind> all = testing::compensator_kinds();
  compensators::RlsInitialState start;
  start.coefficients = Eigen::VectorXd(5);
  start.coefficients << 0.3, -0.1, 2.0, -0.7, -0.5;
  start.covariance = 1e8 * Eigen::MatrixXd::Identity(5, 5);
  all.push_back(testing::compensator_kind<compensators::AdaptiveDiscreteModel>(
      "adm_with_commands",
      compensators::AdaptiveDiscreteModelSettings{
          .command_taps = 2, .target_taps = 3, .start = {.given = {start, start}}}));
  all.push_back(testing::compensator_kind<compensators::PolynomialExtrapolation>(
      "polynomial_between_ticks",
      compensators::PolynomialSettings{.delay = 0.0127, .order = 2}));
  all.push_back(testing::compensator_kind<compensators::InverseCompensation>(
      "inverse_minus_one",
      compensators::InverseSettings{
          .delay = 0.012, .form = compensators::InverseSettings::Form::kLagMinusOne}));
  return all;
}

INSTANTIATE_TEST_SUITE_P(Kinds, CompensatorForm, ::testing::ValuesIn(kinds()), kName);

struct ControllerKind {
  const char* name;
  std::function<std::unique_ptr<ActuatorController>()> make;
  friend std::ostream& operator<<(std::ostream& out, const ControllerKind& kind) {
    return out << kind.name;
  }
};

controllers::ServoSettings of_benchmark(controllers::IntegralErrorSource integrand) {
  return {.tick = kTick,
          .plant = {.model = testing::benchmark_plant(),
                    .delay = 2.0 * kTick,
                    .process_noise = 0.01},
          .weights = {.integral = 1e6},
          .integrand = integrand};
}

std::vector<ControllerKind> controllers() {
  const auto lqg = [](controllers::IntegralErrorSource integrand) {
    return [integrand] {
      return std::make_unique<controllers::LqgController>(2, of_benchmark(integrand));
    };
  };
  return {{"pass_through",
           [] {
             return std::make_unique<controllers::PassThrough>();
           }},
          {"pid",
           [] {
             return std::make_unique<controllers::PidController>(
                 2, controllers::PidSettings{.tick = kTick,
                                             .proportional = 0.5,
                                             .integral = 4.0,
                                             .derivative = 2e-3,
                                             .filter = 60.0});
           }},
          {"pi_of_the_error",
           [] {
             return std::make_unique<controllers::PidController>(
                 2,
                 controllers::PidSettings{
                     .tick = kTick, .proportional = 2, .integral = 95, .command_gain = 0});
           }},
          {"lqg", lqg(controllers::IntegralErrorSource::kMeasured)},
          {"msmc_published",
           [] {
             controllers::ServoSettings servo =
                 of_benchmark(controllers::IntegralErrorSource::kMeasured);
             servo.plant.delay = 0.0;
             return std::make_unique<controllers::PublishedSlidingMode>(
                 2, controllers::PublishedSlidingModeSettings{servo});
           }},
          {"lqg_of_estimated", lqg(controllers::IntegralErrorSource::kEstimated)},
          {"msmc", [] {
             return std::make_unique<controllers::SlidingModeController>(
                 2, controllers::SlidingModeSettings{
                        .servo = of_benchmark(controllers::IntegralErrorSource::kMeasured),
                        .tolerance = 1.0});
           }}};
}

class ControllerForm : public ::testing::TestWithParam<ControllerKind> {};

TEST_P(ControllerForm, DrivesAsTheControllerDrives) {
  const auto controller = GetParam().make();
  const auto form = controller->linearise(2);
  ASSERT_TRUE(form);
  Eigen::VectorXd state = Eigen::VectorXd::Zero(form->A.rows());
  Eigen::VectorXd heard = Eigen::VectorXd::Zero(4);
  Measurement sensed = Measurement::zero(2);
  double largest = 0.0;
  for (int n = 0; n < kTicks; ++n) {
    for (int i = 0; n > 0 && i < 4; ++i)
      heard[i] = kSmall * noise(n, static_cast<std::uint64_t>(i));
    sensed.displacement = heard.tail(2);
    const ActuatorVector drive = controller->drive(heard.head(2), sensed);
    const Eigen::VectorXd expected = form->C * state + form->D * heard;
    state = (form->A * state + form->B * heard).eval();
    largest = std::max(largest, expected.cwiseAbs().maxCoeff());
    // Within its tolerance of 1 m sliding mode is linear but for some 1e-8.
    for (int i = 0; i < 2; ++i) ASSERT_NEAR(drive[i], expected[i], 1e-7 * largest) << n;
  }
  EXPECT_GT(largest, 0.1 * kSmall);
}

INSTANTIATE_TEST_SUITE_P(Kinds, ControllerForm, ::testing::ValuesIn(controllers()), kName);

}  // namespace
}  // namespace trestle::linear_form_test
