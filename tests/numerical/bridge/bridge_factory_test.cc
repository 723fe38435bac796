#include "composition/numerical/bridge/bridge_factory.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>

#include "core/base/setting_error.h"
#include "tests/numerical/bridge/railway_bridge.h"

namespace trestle::bridge::bridge_catalog_test {
namespace {

using ::trestle::testing::railway_bridge;

config::Test changed(const std::string& text) {
  config::Test test = railway_bridge(300.0);
  EXPECT_TRUE(google::protobuf::TextFormat::MergeFromString(text, &test)) << text;
  return test;
}

/// All problems, one a line.
std::string complaint(const config::Test& test, composition::BridgeSolution solution =
                                                    composition::BridgeSolution::kHybrid) {
  std::string lines;
  try {
    composition::make_bridge(test, solution, {}, nullptr);
  } catch (const SettingError& error) {
    for (const SettingIssue& problem : error.problems())
      lines += problem.path + ": " + problem.what + "\n";
  }
  return lines;
}

void expect_complaint(
    const config::Test& test, const std::string& path, const std::string& what,
    composition::BridgeSolution solution = composition::BridgeSolution::kHybrid) {
  const std::string lines = complaint(test, solution);
  EXPECT_EQ(lines.rfind(path + ": ", 0), 0U) << lines;
  EXPECT_NE(lines.find(what), std::string::npos) << lines;
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 1) << lines;
}

TEST(BridgeCatalog, ReportsWhatCanBeToldBeforehand) {
  composition::BridgeReport report;
  composition::make_bridge(railway_bridge(200.0), composition::BridgeSolution::kHybrid, {},
                           &report);
  EXPECT_EQ(report.form, "sine modes");
  EXPECT_EQ(report.modes, 35);
  ASSERT_EQ(report.frequencies.size(), 3U);
  EXPECT_NEAR(report.frequencies[0], 6.69029, 1e-5);
  EXPECT_NEAR(report.frequencies[1], 26.7611, 1e-4);
  EXPECT_EQ(report.spans.size(), 7U);
  EXPECT_NEAR(report.weight, 105374.1, 0.1);
  EXPECT_NEAR(report.spans[3].deflection, 1.76493e-4, 1e-9);
  EXPECT_EQ(report.steps, 6177);
  EXPECT_NEAR(report.on_bridge, 224.0 / (200.0 / 3.6), 1e-9);
  // The published frozen-midspan gain of the loop, three digits.
  EXPECT_NEAR(report.loop_gain, 0.104, 5e-4);
  EXPECT_NEAR(report.loop_frequency, 6.69, 0.05);
}

TEST(BridgeCatalog, AsksOneSiteForOneWheelUpwards) {
  const auto bridge = composition::make_bridge(
      railway_bridge(200.0), composition::BridgeSolution::kHybrid, {}, nullptr);
  std::vector<SiteTarget> requests{
      {InterfaceMotion::zero(1), InterfaceMotion{}, InterfaceVector{}}};
  const std::vector<SiteResponse> answers{
      {InterfaceVector::Zero(1), InterfaceVector::Zero(1)}};
  bridge->prepare();
  bridge->correct(-1, answers);
  double lowest = 0.0;
  for (std::int64_t k = 0; k < bridge->steps(); ++k) {
    bridge->predict(k, requests);
    bridge->correct(k, answers);
    lowest = std::min(lowest, requests[0].target.displacement[0]);
    EXPECT_EQ(requests[0].command_feedforward.size(), 0);
    if (k <= 1024) {
      EXPECT_EQ(requests[0].target.displacement[0], 0.0) << k;
    }
  }
  // Under the weight alone, a little more than statically, less what the sixth mode and
  // those above would add.
  EXPECT_LT(lowest, -1.76e-4);
  EXPECT_GT(lowest, -2.2e-4);
}

// A force of 1 kN in the laboratory is 20 kN on the bridge, 1 mm there 2 mm here.
TEST(BridgeCatalog, ScalesBetweenLaboratoryAndPrototype) {
  const auto lowest = [](const std::string& similitude, double force) {
    const auto bridge = composition::make_bridge(
        changed("numerical { bridge { " + similitude + " lead_out: 0 } }"),
        composition::BridgeSolution::kHybrid, {}, nullptr);
    std::vector<SiteTarget> requests{
        {InterfaceMotion::zero(1), InterfaceMotion{}, InterfaceVector{}}};
    const std::vector<SiteResponse> answers{
        {InterfaceVector::Zero(1), InterfaceVector::Constant(1, force)}};
    bridge->prepare();
    bridge->correct(-1, answers);
    InterfaceMotion most = InterfaceMotion::zero(1);
    for (std::int64_t k = 0; k < bridge->steps(); ++k) {
      bridge->predict(k, requests);
      bridge->correct(k, answers);
      most.displacement = most.displacement.cwiseMin(requests[0].target.displacement);
      most.velocity = most.velocity.cwiseMin(requests[0].target.velocity);
      most.acceleration = most.acceleration.cwiseMin(requests[0].target.acceleration);
    }
    return most;
  };
  const InterfaceMotion plain = lowest("", 20e3);
  const InterfaceMotion scaled = lowest("similitude { length: 2 force: 0.05 }", 1e3);
  EXPECT_NEAR(scaled.displacement[0], 2.0 * plain.displacement[0], 1e-15);
  EXPECT_NEAR(scaled.velocity[0], 2.0 * plain.velocity[0], 1e-12);
  // In half the time the same step is two of the prototype's; by their number they differ
  // a little.
  const InterfaceMotion quick = lowest("similitude { time: 0.5 }", 20e3);
  EXPECT_NEAR(quick.displacement[0], plain.displacement[0], 2e-7);
  EXPECT_NEAR(quick.velocity[0], 2.0 * plain.velocity[0],
              0.02 * std::abs(plain.velocity[0]));
}

TEST(BridgeCatalog, SendsTheIrregularityAheadWithAPreview) {
  const auto bridge = composition::make_bridge(
      changed("numerical { bridge { track { german { } } preview { transfer { "
              "servo_hydraulic { } } } } }"),
      composition::BridgeSolution::kHybrid, {}, nullptr);
  std::vector<SiteTarget> requests{
      {InterfaceMotion::zero(1), InterfaceMotion{}, InterfaceVector{}}};
  const std::vector<SiteResponse> answers{
      {InterfaceVector::Zero(1), InterfaceVector::Zero(1)}};
  bridge->prepare();
  bridge->correct(-1, answers);
  double most = 0.0;
  for (std::int64_t k = 0; k < bridge->steps(); ++k) {
    bridge->predict(k, requests);
    bridge->correct(k, answers);
    // What is left for the compensator is the bridge's part.
    most = std::max(most, std::abs(requests[0].target.displacement[0] -
                                   requests[0].feedforward_target.displacement[0]));
  }
  EXPECT_GT(most, 1.7e-4);
  EXPECT_LT(most, 2.2e-4);
}

TEST(BridgeCatalog, TellsAPreviewThatKnowsNoTransferSystem) {
  expect_complaint(changed("numerical { bridge { track { german { } } preview { } } }"),
                   "numerical.bridge.preview", "give the preview a `transfer`");
}

TEST(BridgeCatalog, TellsWhatCannotBeByItsField) {
  expect_complaint(changed("numerical { bridge { speed: -3 } }"), "numerical.bridge.speed",
                   "must be above 0");
  expect_complaint(
      changed("numerical { bridge { girders { spans: 0 section: \"box\" } } }"),
      "numerical.bridge.girders[1].spans[0]", "must be above 0");
  expect_complaint(
      changed("numerical { bridge { girders { spans: 9 section: \"bxo\" } } }"),
      "numerical.bridge.girders[1].section[0]", "did you mean `box`");
  expect_complaint(changed("duration: 3"), "duration",
                   "leaves the bridge of 224 m only after");
  expect_complaint(changed("time_step: 0.016"), "time_step", "must be at most 14.947 ms");
  expect_complaint(changed("numerical { bridge { track { german { shortest: 0.1 } } } }"),
                   "time_step", "shortest wave of 0.1 m");
  expect_complaint(changed("excitation { record: \"synthetic\" }"), "excitation",
                   "by its vehicles alone");
  expect_complaint(changed("numerical { integrator { kr_alpha { } } }"),
                   "numerical.integrator", "has its own");
  expect_complaint(changed("sites { name: \"two\" interface: \"whel.y\" }"),
                   "sites[1].interface[0]", "did you mean `wheel.y`");
  expect_complaint(changed("sites { name: \"two\" interface: \"wheel.y\" }"),
                   "sites[1].interface[0]", "belongs to two sites");
  expect_complaint(changed("criteria { responses: \"span8.y\" }"), "criteria.responses[0]",
                   "no DOF `span8.y`");
  expect_complaint(
      changed("numerical { bridge { sections { name: \"bare\" E: 1 I: 1 } } }"),
      "numerical.bridge.sections[1]", "exactly one way");
  expect_complaint(changed("numerical { bridge { modal { } piers { stiffness: 1e9 } } }"),
                   "numerical.bridge.modal", "finite_elements");
  config::Test nothing = railway_bridge(300.0);
  nothing.mutable_numerical()
      ->mutable_bridge()
      ->mutable_vehicles(0)
      ->mutable_physical()
      ->mutable_wheels(0)
      ->clear_static_mass();
  expect_complaint(nothing, "numerical.bridge.vehicles", "nothing would move");
  config::Test alone = railway_bridge(300.0);
  alone.clear_sites();
  expect_complaint(alone, "numerical.bridge.vehicles[0].physical.wheels[0]",
                   "the interface DOF of no site");
}

TEST(BridgeCatalog, TellsASpecimenThatIsNoVehicle) {
  config::Test test = railway_bridge(300.0);
  test.mutable_sites(0)->mutable_rig()->mutable_specimen()->mutable_column();
  EXPECT_EQ(complaint(test), "");
  expect_complaint(test, "sites[0].rig.specimen", "quarter-vehicle, dynamic or linear",
                   composition::BridgeSolution::kUndivided);
}

TEST(BridgeCatalog, TellsAMeasuredTrackThatIsTooShort) {
  const std::string file =
      ::testing::TempDir() + "short_track" + std::to_string(::getpid()) + ".csv";
  std::ofstream(file) << "x_m,r_m\n-20,0\n100,0.001\n200,0\n";
  expect_complaint(
      changed("numerical { bridge { track { measured { file: \"" + file + "\" } } } }"),
      "numerical.bridge.track.measured.file", "needed are -20 m to 244 m");
  std::remove(file.c_str());
}

TEST(BridgeCatalog, TellsAVehicleWhoseMatricesDoNotFit) {
  const std::string head =
      "numerical { bridge { vehicles { name: \"car\" behind: 9 multi_body { dofs: \"a\" "
      "dofs: \"b\" ";
  const std::string square = "{ rows { values: [1, 0] } rows { values: [0, 1] } } ";
  expect_complaint(changed(head + "mass " + square + "stiffness " + square +
                           "contacts { dof: \"c\" } } } } }"),
                   "numerical.bridge.vehicles[1].multi_body.contacts[0]",
                   "none of the vehicle's dofs");
  expect_complaint(
      changed(head + "mass { rows { values: [1, 0] } rows { values: [0, 0] } } stiffness " +
              square + "contacts { dof: \"a\" } } } } }"),
      "numerical.bridge.vehicles[1].multi_body.mass", "needs a mass");
}

}  // namespace
}  // namespace trestle::bridge::bridge_catalog_test
