#include "composition/sites/compensator_factory.h"

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <fstream>

#include "composition/sites/inlined_files.h"
#include "core/base/setting_error.h"
#include "proto/config/control.pb.h"
#include "site-servers/compensators/adaptive_discrete_feedforward.h"
#include "site-servers/compensators/adaptive_discrete_model.h"
#include "site-servers/compensators/adaptive_fir.h"
#include "site-servers/compensators/adaptive_polynomial.h"
#include "site-servers/compensators/ats_compensator.h"
#include "site-servers/compensators/conditional_ats.h"
#include "site-servers/compensators/inverse_compensation.h"
#include "site-servers/compensators/kalman_inverse.h"
#include "site-servers/compensators/narx_compensator.h"
#include "site-servers/compensators/predictive_control.h"
#include "tests/site-servers/control/tracking_trial.h"

namespace trestle::compensator_catalog_test {
namespace {

constexpr double kTick = 1.0 / 1024.0;

config::Compensator message(const std::string& text) {
  config::Compensator parsed;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &parsed)) << text;
  return parsed;
}

template <typename Type>
std::unique_ptr<Compensator> made(const std::string& text, const Type*& as) {
  auto compensator = composition::make_compensator(message(text), 2, kTick, "c");
  as = dynamic_cast<const Type*>(compensator.get());
  EXPECT_NE(as, nullptr) << text;
  return compensator;
}

std::string problem(const config::Compensator& it) {
  try {
    composition::make_compensator(composition::inline_files(it, "west", kTick, "c"), 2,
                                  kTick, "c");
  } catch (const SettingError& error) {
    return error.what();
  }
  return "none";
}

/// A file that goes with the test.
class File {
 public:
  explicit File(const std::string& text)
      : name_(::testing::TempDir() + "trestle_compensator_" + std::to_string(getpid()) +
              ".csv") {
    std::ofstream(name_) << text;
  }
  ~File() { std::remove(name_.c_str()); }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

TEST(CompensatorCatalog, GivesEachActuatorItsOwn) {
  const compensators::InverseCompensation* inverse = nullptr;
  const auto a = made("inverse {delay: [0.060, 0.025] form: LAG_MINUS_ONE}", inverse);
  EXPECT_NEAR(inverse->coefficient(0), 60.44, 1e-9);
  EXPECT_NEAR(inverse->coefficient(1), 24.6, 1e-9);
  const compensators::AtsCompensator* ats = nullptr;
  const auto b = made("ats {expected_delay: [0.01, 0.02]}", ats);
  EXPECT_NEAR(ats->delay(0), 0.01, 1e-15);
  EXPECT_NEAR(ats->delay(1), 0.02, 1e-15);
  const compensators::AdaptivePolynomial* polynomial = nullptr;
  const auto c = made("adaptive_polynomial {delay: 0.01}", polynomial);
  EXPECT_EQ(polynomial->delay(1), 0.01);
}

TEST(CompensatorCatalog, TellsTheCountsWhereTheyDoNotFit) {
  const std::string rest = " has 3 values for 2 actuators; give one for all, or one each";
  const std::string three = "[0.01, 0.01, 0.01]";
  EXPECT_EQ(problem(message("polynomial {delay: " + three + "}")),
            "c.polynomial.delay: delay" + rest);
  EXPECT_EQ(problem(message("inverse {delay: " + three + "}")),
            "c.inverse.delay: delay" + rest);
  EXPECT_EQ(problem(message("adaptive_polynomial {delay: " + three + "}")),
            "c.adaptive_polynomial.delay: delay" + rest);
  EXPECT_EQ(problem(message("ats {expected_delay: " + three + "}")),
            "c.ats.expected_delay: expected_delay" + rest);
  EXPECT_EQ(problem(message("narx {order: 2 window: 99 initial_delay: " + three + "}")),
            "c.narx.initial_delay: initial_delay" + rest);
  EXPECT_EQ(problem(message("adaptive_fir {initial_delay: " + three + "}")),
            "c.adaptive_fir.initial_delay: initial_delay" + rest);
  EXPECT_EQ(problem(message("adm {initial_delay: " + three + "}")),
            "c.adm.initial_delay: initial_delay" + rest);
}

TEST(CompensatorCatalog, ReadsTheSettingsOfAts) {
  EXPECT_EQ(problem(message("ats {expected_delay: 0.01 window: 0.001}"))
                .rfind("c.ats.window: window is 0.001000; must be at least ten", 0),
            0U);
  EXPECT_EQ(problem(message("ats {expected_delay: 0.01 filter {frequency: 512}}"))
                .rfind("c.ats.filter.frequency: ", 0),
            0U);
  EXPECT_EQ(problem(message("ats {expected_delay: 0.01 a1 {lowest: 2 highest: 1}}")),
            "c.ats.a1: a1 is 2.000000; must be below its upper bound, 1.000000");
  const compensators::AtsCompensator* ats = nullptr;
  const auto kept = made("ats {expected_delay: 0.01 a0 {lowest: 2 highest: 3}}", ats);
  EXPECT_EQ(ats->amplitude(0), 0.5);
}

TEST(CompensatorCatalog, ReadsNarx) {
  const compensators::NarxCompensator* narx = nullptr;
  const auto linear = made("narx {order: 4 window: 64 initial_delay: 0.025}", narx);
  EXPECT_EQ(narx->coefficients(0).size(), 5);
  EXPECT_NEAR(narx->coefficients(1)[0], 26.6, 1e-12);
  const auto nonlinear = made(
      "narx {order: 2 window: 64 linear_taps: 2 products {factors {tap: 2 power: 2}} "
      "products {factors {tap: 1} factors {tap: 2}}}",
      narx);
  EXPECT_EQ(narx->coefficients(0).size(), 4);
  EXPECT_EQ(problem(message("narx {order: 2 window: 64 products {factors {tap: 3}}}"))
                .rfind("c.narx.products[0].factors[0].tap: ", 0),
            0U);
  EXPECT_EQ(problem(message("narx {order: 2 window: 64 products {factors {tap: 1 power: 2 "
                            "signed_power: 3}}}"))
                .rfind("c.narx.products[0].factors[0].signed_power: ", 0),
            0U);
}

TEST(CompensatorCatalog, ReadsTheTermsOfNarx) {
  const compensators::NarxCompensator* narx = nullptr;
  const auto made_of =
      made("narx {order: 2 window: 64 terms: 'x0' terms: 'x1' terms: 'u1' terms: 'x1*x2'}",
           narx);
  EXPECT_EQ(narx->coefficients(0).size(), 4);
  EXPECT_EQ(narx->coefficient_channels()[2].name, "c1");
  EXPECT_EQ(problem(message("narx {order: 2 window: 64 terms: 'x0' terms: 'x1*x3'}")),
            "c.narx.terms[1]: `x1*x3` has x3; order 2 has x0 to x2 and u1 to u4 (at "
            "character 4 of the term)");
  EXPECT_EQ(problem(message("narx {order: 2 window: 64 terms: 'x0' linear_taps: 2}"))
                .rfind("c.narx.linear_taps: stands beside terms", 0),
            0U);
  EXPECT_EQ(problem(message("narx {order: 2 window: 64 terms: 'x0' products {factors {tap: "
                            "1}}}"))
                .rfind("c.narx.products: stands beside terms", 0),
            0U);
}

TEST(CompensatorCatalog, ReadsAKalmanFilter) {
  const compensators::KalmanInverse* kalman = nullptr;
  const auto delayed = made("kalman {expected_delay: [0.01, 0.02]}", kalman);
  EXPECT_NEAR(kalman->coefficients(1)[2], 2e-4, 1e-15);
  EXPECT_NEAR(std::sqrt(kalman->covariance(1)(1, 1)), 0.3 * 0.02, 1e-15);
  const auto given = made(
      "kalman {form: EXTENDED initial {coefficients {values: [1.1, 0.03, 4e-4]}} spread "
      "{a0: 0.2 a1: 0.01 a2: 1e-4}}",
      kalman);
  EXPECT_NEAR(kalman->coefficients(0)[1], 0.03, 1e-15);
  EXPECT_NEAR(std::sqrt(kalman->covariance(0)(0, 0)), 0.2, 1e-15);
  EXPECT_EQ(problem(message("kalman {}")),
            "c.kalman: gives no start; give expected_delay, or initial");
  EXPECT_EQ(problem(message("kalman {expected_delay: 0.01 initial {}}")),
            "c.kalman: has initial beside expected_delay; give one of the two");
  EXPECT_EQ(problem(message("kalman {expected_delay: 0.01 a1 {lowest: 0.02 highest: 1}}"))
                .rfind("c.kalman.a1: ", 0),
            0U);
}

TEST(CompensatorCatalog, ReadsAConditionalTimeSeries) {
  const compensators::ConditionalAts* series = nullptr;
  const auto delayed = made("conditional_ats {expected_delay: [0.01, 0.02]}", series);
  EXPECT_NEAR(series->coefficients(1)[2], 2e-4, 1e-15);
  const auto given = made(
      "conditional_ats {initial {coefficients {values: [1.1, 0.03, 4e-4]}} decimation: 2}",
      series);
  EXPECT_NEAR(series->coefficients(0)[1], 0.03, 1e-15);
  EXPECT_EQ(problem(message("conditional_ats {}")),
            "c.conditional_ats: gives no start; give expected_delay, or initial");
  EXPECT_EQ(problem(message("conditional_ats {expected_delay: 0.01 initial {}}")),
            "c.conditional_ats: has initial beside expected_delay; give one of the two");
  EXPECT_EQ(
      problem(
          message("conditional_ats {expected_delay: 0.01 a1 {lowest: 0.02 highest: 1}}"))
          .rfind("c.conditional_ats.a1: a1 is 0.010000; is where it starts", 0),
      0U);
}

TEST(CompensatorCatalog, ReadsADiscreteFeedforward) {
  const compensators::AdaptiveDiscreteFeedforward* adfc = nullptr;
  const auto coupled = made("adfc {initial_delay: [0.01, 0.02] spacing: 0.01}", adfc);
  EXPECT_NEAR(adfc->weight(1, 1, 1), -0.02 * 1024 / 10, 1e-12);
  EXPECT_EQ(adfc->coefficient_channels().size(), 8U);
  const auto own = made("adfc {initial_delay: 0.01 taps: 2 own_target_only: true}", adfc);
  EXPECT_EQ(adfc->coefficient_channels().size(), 2U);
  EXPECT_EQ(problem(message("adfc {initial_delay: 0.01 spacing: 2}"))
                .rfind("c.adfc.spacing: ", 0),
            0U);
}

TEST(CompensatorCatalog, ReadsAPredictiveControl) {
  const std::string plant =
      "plant {model {state_space {"
      "A {rows {values: [-50, 0]} rows {values: [0, -80]}} "
      "B {rows {values: [50, 10]} rows {values: [0, 80]}} "
      "C {rows {values: [1, 0]} rows {values: [0, 1]}}}} process_noise: 1} ";
  const compensators::PredictiveControl* mpc = nullptr;
  const auto plain = made("mpc {" + plant + "}", mpc);
  const double condition = mpc->program().condition();
  const auto whole = made("mpc {" + plant +
                              "drift: 2 horizon: 0.03 moves: 4 change_weight: 1e-2 stroke: "
                              "0.05 rate: [0.1, 0.2] iterations: 7}",
                          mpc);
  EXPECT_NE(mpc->program().condition(), condition);
  ActuatorMotion target = ActuatorMotion::zero(2);
  target.displacement.setConstant(1.0);
  const ActuatorVector command =
      whole->command(target, ActuatorVector::Zero(2), ActuatorVector::Zero(2));
  EXPECT_NEAR(command[0], 0.1 * kTick, 1e-12);
  EXPECT_NEAR(command[1], 0.2 * kTick, 1e-12);
  EXPECT_EQ(
      problem(message("mpc {" + plant + "iterations: 7}")),
      "c.mpc.iterations: are needed under limits alone; give stroke or rate, or leave "
      "iterations out");
  EXPECT_EQ(problem(message("mpc {}")).rfind("c.mpc.plant: is missing", 0), 0U);
  EXPECT_EQ(
      problem(message("mpc {" + plant + "stroke: [1, 2, 3]}")).rfind("c.mpc.stroke: ", 0),
      0U);
}

TEST(CompensatorCatalog, StartsFromGivenCoefficients) {
  const compensators::AdaptiveFir* fir = nullptr;
  const std::string start =
      "start {coefficients: [2, -1] covariance {rows {values: [2, 1]} rows {values: [1, "
      "3]} scale: 10}} ";
  const auto kept = made("adaptive_fir {taps: 2 " + start + start + "}", fir);
  EXPECT_EQ(fir->coefficients(1), (Eigen::Vector2d{2, -1}));
  EXPECT_EQ(problem(message("adaptive_fir {taps: 2 " + start + "}")),
            "c.adaptive_fir.start: 1 entries for 2 actuators; give one each");
  EXPECT_EQ(problem(message("adaptive_fir {taps: 3 " + start + start + "}")),
            "c.adaptive_fir.start[0].covariance: is 2 x 2; 3 x 3 is needed here");
  EXPECT_EQ(
      problem(message("adaptive_fir {taps: 2 initial_delay: 0.01 " + start + start + "}")),
      "c.adaptive_fir.initial_delay: stands beside start; give one of the two");
}

TEST(CompensatorCatalog, PutsMatrixFilesIntoTheMessage) {
  const File file("2,1\n1,3\n");
  const std::string start =
      "start {coefficients: [2, -1] covariance {file: '" + file.name() + "' scale: 10}} ";
  const config::Compensator inlined = composition::inline_files(
      message("adaptive_fir {taps: 2 " + start + "}"), "west", kTick, "c");
  EXPECT_EQ(inlined.ShortDebugString(),
            message("adaptive_fir {taps: 2 start {coefficients: [2, -1] covariance {rows "
                    "{values: [20, 10]} rows {values: [10, 30]}}}}")
                .ShortDebugString());
}

/// The record of a run without compensation, as `trestle export --ticks` writes it.
std::string record_of(const testing::TrialRig& rig, double period) {
  testing::Track track;
  {
    compensators::AdaptiveDiscreteModel none(
        1, {.tick = kTick, .target_taps = 1, .excitation_floor = 1e9});
    track = testing::run(none, {.duration = 6.0, .rig = rig});
  }
  std::string text =
      "time_s,west.a1.target_m,west.a1.command_m,west.a1.measured_m,east.a1.command_m\n";
  char line[160];
  for (std::size_t n = 0; n < track.target.size(); ++n) {
    std::snprintf(line, sizeof line, "%.17g,%.17g,%.17g,%.17g,0\n",
                  static_cast<double>(n) * period, track.target[n], track.target[n],
                  track.reached[n]);
    text += line;
  }
  return text;
}

TEST(CompensatorCatalog, WarmStartHasLearntFromTheRecord) {
  const testing::TrialRig rig{.delay = 14, .gain = 0.9};
  const File file(record_of(rig, kTick));
  const std::string text = "adm {warm_start {record: '" + file.name() + "'}}";
  const config::Compensator warm =
      composition::inline_files(message(text), "west", kTick, "c");
  EXPECT_FALSE(warm.adm().has_warm_start());
  ASSERT_EQ(warm.adm().start_size(), 1);
  const auto compensator = composition::make_compensator(warm, 1, kTick, "c");
  // It tracks from the first moment. Uncompensated: 0.18.
  EXPECT_LT(testing::run(*compensator, {.duration = 2.0, .rig = rig}).error(0.1, 2.0, 1),
            0.03);
}

TEST(CompensatorCatalog, SaysWhatIsWrongWithARecord) {
  const auto with = [](const std::string& file, const std::string& more = "") {
    return message("adm {" + more + " warm_start {record: '" + file + "'}}");
  };
  EXPECT_EQ(
      problem(with("nowhere.csv")),
      "c.adm.warm_start.record: cannot read the file nowhere.csv: there is no such file");
  EXPECT_NE(problem(with("nowhere.csv", "initial_delay: 0.01")).find("another start"),
            std::string::npos);
  {
    const File file("time_s,north.a1.command_m\n0,1\n");
    EXPECT_NE(problem(with(file.name())).find("has no columns west."), std::string::npos);
  }
  {
    const File file("time_s,west.a.command_rad,west.a.measured_rad\n0,0,0\n0.01,,0\n");
    EXPECT_EQ(problem(with(file.name())),
              "c.adm.warm_start.record: line 3: column 2 holds no finite number");
  }
  {
    const File file(record_of({}, 2 * kTick));
    EXPECT_NE(problem(with(file.name())).find("the record must be of the same"),
              std::string::npos);
  }
  // At a site that was sent the bare record.
  EXPECT_THROW(composition::make_compensator(with("any.csv"), 1, kTick, "c"), SettingError);
}

}  // namespace
}  // namespace trestle::compensator_catalog_test
