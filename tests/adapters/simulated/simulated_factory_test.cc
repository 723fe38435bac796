#include "composition/rigs/simulated_factory.h"

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <fstream>

#include "core/base/setting_error.h"
#include "proto/config/rig.pb.h"
#include "site-servers/kinematics/matrix_frame.h"

namespace trestle::simulated::simulated_catalog_test {
namespace {

config::Rig rig(const std::string& text) {
  config::Rig message;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &message)) << text;
  return message;
}

const std::string kColumn = "specimen {column {E: 210e9 A: 78.1e-4 I: 5696e-8 height: 3}}";

std::string problem(const std::string& text, const Eigen::MatrixXd& T) {
  try {
    composition::make_simulated_rig(
        rig(text), "west", std::make_unique<kinematics::MatrixFrame>(T), "sites.west.rig");
  } catch (const SettingError& error) {
    return error.what();
  }
  return "none";
}

const Eigen::Matrix2d kTwo = Eigen::Matrix2d::Identity();

TEST(SimulatedCatalog, MakesTheRigOfTheFirstExample) {
  const auto made = composition::make_simulated_rig(
      rig("actuators {second_order {frequency: 18 damping: 0.7}}"
          "actuators {second_order {frequency: 18 damping: 0.7}}"
          "specimen {column {E: 210e9 A: 78.1e-4 I: 5696e-8 height: 3"
          "  hysteresis {bilinear {yield_moment: 180e3 hardening: 0.03}}}}"
          "noise {displacement: 2e-6 force: 20} noise {displacement: 1e-6 force: 10}"),
      "west", std::make_unique<kinematics::MatrixFrame>(kTwo), "rig",
      {{.name = "floor_w.x"}, {.name = "floor_w.rz", .kind = DofKind::kRotation}});
  const RigDescription description = made->description();
  ASSERT_EQ(description.actuators.size(), 2U);
  EXPECT_EQ(description.actuators[0].name, "1");
  EXPECT_EQ(description.actuators[0].kind, DofKind::kTranslation);
  EXPECT_EQ(description.actuators[1].kind, DofKind::kRotation);
  EXPECT_FALSE(description.real_equipment);
}

TEST(SimulatedCatalog, EverySortOfActuatorAndSpecimenIsMade) {
  const std::string springs =
      "specimen {springs {laws {linear {stiffness: 5}} laws {bilinear {stiffness: 5 "
      "yield_force: 1}}}}";
  const std::string linear =
      "specimen {linear {stiffness {values: [2, 1]} stiffness {values: [1, 2]}}}";
  const std::string row = "rows {values: [-9]}";
  for (const std::string& specimen : {springs, linear, kColumn})
    for (const std::string& actuators :
         {std::string(),
          std::string("actuators {ideal {}} actuators {delay {delay: 0.012}}"),
          std::string(
              "actuators {first_order {frequency: 5}} actuators {zpk {poles {re: -3} "
              "gain: 3}}"),
          std::string("actuators {identified {delay: 0.01 dc_gain: 0.9 poles {re: -30}}} "
                      "actuators {identified {dc_gain: -1 poles {re: -9} poles {re: -7} "
                      "zeros {re: -5}}}"),
          "actuators {ideal {}} actuators {state_space {A {" + row + "} B {" + row +
              "} C {" + row + "}}}",
          std::string(
              "transfer_matrix {zpk {entries {to: 1 from: 1 gain: 1} entries {to: 2 "
              "from: 2 gain: 1}}}")})
      EXPECT_EQ(problem(actuators + specimen, kTwo), "none") << actuators << specimen;
}

TEST(SimulatedCatalog, SizesThatDoNotFitAreTold) {
  EXPECT_EQ(problem("actuators {ideal {}}" + kColumn, kTwo),
            "sites.west.rig.actuators: 1 actuators are given; the loading frame has 2");
  EXPECT_EQ(
      problem("noise {}" + kColumn, kTwo),
      "sites.west.rig.noise: has 1 entries; one for each of the 2 actuators is needed");
  EXPECT_EQ(problem("specimen {linear {stiffness {values: 1}}}", kTwo),
            "sites.west.rig.specimen.stiffness: is 1 x 1; the site has 2 interface DOFs");
  EXPECT_EQ(problem("specimen {springs {laws {linear {stiffness: 1}}}}", kTwo),
            "sites.west.rig.specimen.laws: has 1 laws; the site has 2 interface DOFs");
  EXPECT_NE(problem(kColumn, Eigen::MatrixXd::Identity(4, 4)), "none");
}

TEST(SimulatedCatalog, WhatCannotBeIsTold) {
  EXPECT_EQ(
      problem("specimen {linear {stiffness {values: [2, 1]} stiffness {values: [0, 2]}}}",
              kTwo),
      "sites.west.rig.specimen.stiffness: is not symmetric");
  EXPECT_EQ(problem("actuators {ideal {}} transfer_matrix {}" + kColumn, kTwo),
            "sites.west.rig.transfer_matrix: stands beside actuators; give one of the two");
  EXPECT_EQ(
      problem("actuators {ideal {}} actuators {zpk {zeros {re: -1} gain: 1}}" + kColumn,
              kTwo),
      "sites.west.rig.actuators[1]: has 1 zeros and 0 poles; a rig needs at least as "
      "many poles as zeros");
  EXPECT_EQ(
      problem("actuators {ideal {}} actuators {identified {dc_gain: 1 poles {}}}" + kColumn,
              kTwo),
      "sites.west.rig.actuators[1].dc_gain: has a zero or a pole at zero, where no "
      "gain gives the value 1.000000; give its gain itself");
  EXPECT_EQ(
      problem("", kTwo),
      "sites.west.rig.specimen: no specimen given; write kind: linear, column, springs, "
      "frame, kinematic, quarter-vehicle or dynamic");
}

TEST(SimulatedCatalog, AMatrixComesFromAFileToo) {
  const std::string file = ::testing::TempDir() + "trestle_simulated_catalog_" +
                           std::to_string(getpid()) + ".csv";
  std::ofstream(file) << "-9, 0\n0, +-9\n";
  const std::string text = "transfer_matrix {state_space {A {file: '" + file +
                           "'} B {entries {row: 1 column: 1 value: 9}} C {rows {values: "
                           "[1,0]} rows {values: [0,1]}}}}";
  EXPECT_NE(problem(text + kColumn, kTwo).find(":2: `+-9` is no finite number"),
            std::string::npos)
      << problem(text + kColumn, kTwo);
  std::ofstream(file) << "-9, 0\n0, -9\n";
  EXPECT_EQ(problem(text + kColumn, kTwo), "none");
  std::remove(file.c_str());
  EXPECT_NE(problem(text + kColumn, kTwo).find("cannot read"), std::string::npos);
}

TEST(SimulatedCatalog, AnEntryOfATransferMatrixHasExactlyOneGain) {
  const auto matrix = [](const std::string& gains) {
    return "transfer_matrix {zpk {entries {to: 1 from: 1 zeros {re: -4} poles {re: -8} " +
           gains + "} entries {to: 2 from: 2 gain: 1}}}" + kColumn;
  };
  EXPECT_EQ(problem(matrix("gain: 2"), kTwo), "none");
  EXPECT_EQ(problem(matrix("dc_gain: 0.9"), kTwo), "none");
  const std::string one =
      "sites.west.rig.transfer_matrix.entries[0]: give exactly one of gain and dc_gain";
  EXPECT_EQ(problem(matrix(""), kTwo), one);
  EXPECT_EQ(problem(matrix("gain: 2 dc_gain: 1"), kTwo), one);
}

/// What one tick of the drive 1 does to an actuator of 1/(1 + s/30), read at once.
double first_stroke(const std::string& integration) {
  const auto made = composition::make_simulated_rig(
      rig("actuators {zpk {poles {re: -30} gain: 30}} specimen {linear {stiffness {values: "
          "0}}}" +
          integration),
      "west",
      std::make_unique<kinematics::MatrixFrame>(kinematics::MatrixFrame::identity(1)),
      "rig");
  made->prepare({.tick = 0.01, .seed = 0});
  Measurement sensed;
  made->read(TimePoint{}, sensed);
  made->write(ActuatorVector::Ones(1));
  made->read(TimePoint{}, sensed);
  return sensed.displacement[0];
}

TEST(SimulatedCatalog, IntegratesActuatorsExactlyOrByRungeKutta) {
  EXPECT_NEAR(first_stroke(""), 1.0 - std::exp(-0.3), 1e-15);
  const double h = -0.3;  // the series of the exponential, cut after the fourth power
  EXPECT_NEAR(first_stroke("integration: ACTUATOR_INTEGRATION_RUNGE_KUTTA"),
              -(h + h * h / 2 + h * h * h / 6 + h * h * h * h / 24), 1e-15);
}

const std::string kBay =
    "specimen {kinematic {stiffness {values: [4, 1, 1]} stiffness {values: [1, 3, 0]} "
    "stiffness {values: [1, 0, 2]}}}";

TEST(SimulatedCatalog, TheLayoutSaysWhichDofsAreForceOnly) {
  const auto reactions = [](const InterfaceLayout& layout) {
    return composition::make_simulated_rig(rig(kBay), "west",
                                           std::make_unique<kinematics::MatrixFrame>(
                                               kinematics::MatrixFrame::identity(1)),
                                           "rig", layout)
        ->description()
        .reactions;
  };
  EXPECT_EQ(reactions({{.name = "a.x"}}), 0);
  EXPECT_EQ(reactions({{.name = "a.x"}, {.name = "b.x", .role = DofRole::kForceOnly}}), 1);
  EXPECT_EQ(reactions({}), 2) << "all that the specimen has";
}

TEST(SimulatedCatalog, AKinematicSpecimenThatCannotBeIsTold) {
  EXPECT_EQ(problem(kBay, Eigen::MatrixXd::Identity(4, 4)),
            "sites.west.rig.specimen.stiffness: has 3 rows; the site has 4 interface DOFs, "
            "and inner ones come behind these");
  EXPECT_EQ(
      problem("specimen {kinematic {stiffness {values: [4, 1, 1]} stiffness {values: "
              "[1, 3, 0]} stiffness {values: [1, 0, 0]}}}",
              Eigen::MatrixXd::Identity(1, 1)),
      "sites.west.rig.specimen.stiffness: the 2 DOFs behind the controlled ones are a "
      "mechanism; they follow by the stiffness alone, whose block of them must not be "
      "singular");
}

}  // namespace
}  // namespace trestle::simulated::simulated_catalog_test
