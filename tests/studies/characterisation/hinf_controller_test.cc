#include "studies/characterisation/hinf_controller.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <Eigen/Eigenvalues>
#include <cstdio>
#include <fstream>
#include <numbers>
#include <optional>
#include <string>

#include "composition/sites/controller_factory.h"
#include "core/base/setting_error.h"
#include "core/ports/actuator_controller.h"
#include "core/yaml/yaml_reader.h"
#include "proto/config/control.pb.h"
#include "site-servers/compensators/inverse_model_fit.h"
#include "site-servers/controllers/state_space_controller.h"
#include "studies/characterisation/sampled_plant.h"

namespace trestle::hinf_controller_test {
namespace {

using characterisation::CharacteriseReport;
using characterisation::CharacteriseSettings;
using characterisation::design_hinf_controller;
using characterisation::hinf_controller_yaml;
using characterisation::RigController;

/// Two actuators of 60 ms and 25 ms, one of which moves the other.
CharacteriseReport rig() {
  CharacteriseReport report;
  report.actuators.resize(2);
  report.actuators[0].transfer.transfer = {
      .scale = 20.0, .delay = 4.4e-3, .gain = 0.9, .denominator = {1.2, 0.1}};
  report.actuators[1].transfer.transfer = {
      .scale = 50.0, .delay = 2.6e-3, .gain = 0.95, .denominator = {1.0, 0.2}};
  characterisation::CouplingFinding coupling{.to = 1, .from = 0};
  coupling.transfer.transfer = {
      .scale = 30.0, .delay = 4.4e-3, .gain = 0.12, .denominator = {1.0}};
  report.coupling.push_back(coupling);
  return report;
}

/// The file, read as a test reads it, closes a stable loop around the identified rig, with
/// the delay that its head states.
TEST(HinfController, IsReadAsAStateSpaceControllerOfAStableLoop) {
  const CharacteriseReport report = rig();
  const CharacteriseSettings settings;
  const RigController found = design_hinf_controller(report, settings);
  EXPECT_LE(found.design.norm, found.design.hinf.level * (1.0 + 1e-6));
  const std::string text = hinf_controller_yaml(
      found, settings, {"bay", "site_bay.yaml", "today", false}, "bay_controller.yaml");
  EXPECT_EQ(text.rfind("# An H-infinity controller for the rig of site bay (simulated)", 0),
            0U)
      << text;
  EXPECT_NE(text.find("\n#   controller: {include: bay_controller.yaml}\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\nkind: state-space\n"), std::string::npos) << text;

  config::ActuatorController message;
  yaml::SourceMap where;
  const std::string file =
      ::testing::TempDir() + "hinf_controller_" + std::to_string(::getpid()) + ".yaml";
  std::ofstream(file) << text;
  yaml::read_yaml(file, {}, message, where);
  std::remove(file.c_str());
  const auto controller =
      composition::make_controller(message, 2, settings.tick, "controller");
  const std::optional<LinearControllerModel> model = controller->linearise(2);
  ASSERT_TRUE(model);
  const math::DiscreteStateSpace loop = compensators::closed_loop(
      characterisation::sampled_plant(report, settings.tick), *model);
  EXPECT_LT(loop.A.eigenvalues().cwiseAbs().maxCoeff(), 1.0);
  // At rest the targets are reached but for the static error.
  const Eigen::MatrixXcd at_rest = math::frequency_response(loop, {1.0, 0.0});
  EXPECT_LT((at_rest - Eigen::MatrixXcd::Identity(2, 2)).norm(), 3e-3);
  // A slow sine comes late as stated, and a tick.
  const double omega = 2.0 * std::numbers::pi * settings.lowest;
  const Eigen::MatrixXcd slow =
      math::frequency_response(loop, std::polar(1.0, omega * settings.tick));
  for (int i = 0; i < 2; ++i)
    EXPECT_NEAR(-std::arg(slow(i, i)) / omega - settings.tick,
                found.low_frequency_delay[static_cast<std::size_t>(i)], 1e-6);
  // |1 − T| <= γ/|W₁| at a low frequency ω bounds the phase of T: less than
  // γ·ω/(2π·bandwidth).
  const double slowest = 1.04 / (2.0 * std::numbers::pi * found.design.weights.bandwidth);
  for (const double delay : found.low_frequency_delay)
    EXPECT_LT(delay + settings.tick, slowest);
}

TEST(HinfController, SaysWhereNoBandwidthMeetsTheWeights) {
  CharacteriseSettings settings;
  settings.hinf.weights.drive_gain = 0.1;
  try {
    design_hinf_controller(rig(), settings);
    FAIL();
  } catch (const SettingError& error) {
    EXPECT_EQ(error.problems().front().path, "characterise.hinf");
    EXPECT_EQ(error.problems().front().what.rfind("no bandwidth meets the weights", 0), 0U);
  }
}

/// A controller that no test would take. Without delay a path has 2 stored drives and its
/// order as states, and each actuator has 2 of the weights: 2·(2 + 1) + 2·2 = 10 here, so
/// 54 whole ticks of delay are left.
TEST(HinfController, IsNotDesignedWhereItsDelaysMakeItTooLarge) {
  CharacteriseReport report;
  report.actuators.resize(2);
  for (auto& actuator : report.actuators)
    actuator.transfer.transfer = {.scale = 20.0, .gain = 0.9, .denominator = {1.0}};
  CharacteriseSettings settings;
  settings.hinf.widest = false;
  characterisation::DelayedTransfer& late = report.actuators[0].transfer.transfer;
  late.delay = 54.5 * settings.tick;
  const RigController largest = design_hinf_controller(report, settings);
  EXPECT_EQ(largest.design.hinf.controller.states(),
            controllers::StateSpaceController::kMostStates);
  late.delay = 55.5 * settings.tick;
  try {
    design_hinf_controller(report, settings);
    FAIL();
  } catch (const SettingError& error) {
    EXPECT_EQ(error.problems().front().path, "characterise.hinf");
    EXPECT_EQ(error.problems().front().what.rfind(
                  "the controller would have 65 states, limit 64; ", 0),
              0U)
        << error.problems().front().what;
  }
}

}  // namespace
}  // namespace trestle::hinf_controller_test
