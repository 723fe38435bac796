#include "composition/sites/controller_factory.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "composition/sites/inlined_files.h"
#include "core/base/setting_error.h"
#include "core/math/zeros_poles_gain.h"
#include "proto/config/control.pb.h"
#include "proto/config/matrix.pb.h"
#include "proto/config/transfer.pb.h"
#include "site-servers/controllers/lqg_controller.h"
#include "site-servers/controllers/published_sliding_mode.h"
#include "site-servers/controllers/sliding_mode_controller.h"

namespace trestle::controller_catalog_test {
namespace {

constexpr double kTick = 1e-3;

config::ObservedPlant first_order_plant() {
  config::ObservedPlant plant;
  config::ZpkEntry* entry = plant.mutable_model()->mutable_zpk()->add_entries();
  entry->set_to(1);
  entry->set_from(1);
  entry->add_poles()->set_re(-20.0);
  entry->set_gain(20.0);
  plant.set_process_noise(1.0);
  return plant;
}

double first_drive(ActuatorController& controller) {
  controller.drive(ActuatorVector::Zero(1), Measurement::zero(1));
  return controller.drive(ActuatorVector::Ones(1), Measurement::zero(1))[0];
}

TEST(ControllerCatalog, MakesALqgWithTheSchemasDefaults) {
  config::ActuatorController message;
  *message.mutable_lqg()->mutable_plant() = first_order_plant();
  message.mutable_lqg()->set_integral_weight(1e4);
  const auto made = composition::make_controller(message, 1, kTick, "c");
  ASSERT_NE(dynamic_cast<const controllers::LqgController*>(made.get()), nullptr);
  const math::ZerosPolesGain lag{.zeros = {}, .poles = {-20.0}, .gain = 20.0};
  controllers::LqgController twin(
      1, {.tick = kTick,
          .plant = {.model = math::realise(lag, "p"), .process_noise = 1.0},
          .weights = {.integral = 1e4, .output = 1.0, .drive = 1.0}});
  EXPECT_EQ(first_drive(*made), first_drive(twin));
}

TEST(ControllerCatalog, MakesASlidingModeFromItsBytes) {
  config::ActuatorController message;
  *message.mutable_msmc()->mutable_plant() = first_order_plant();
  message.mutable_msmc()->set_integral_weight(1e4);
  message.mutable_msmc()->add_drive_limit(1e-3);
  const auto made = composition::make_controller(
      std::string_view(message.SerializeAsString()), 1, kTick, "c");
  ASSERT_NE(dynamic_cast<const controllers::SlidingModeController*>(made.get()), nullptr);
  EXPECT_EQ(first_drive(*made), 1e-3);
}

TEST(ControllerCatalog, MakesThePublishedSlidingModeWithTheSchemasDefaults) {
  config::ActuatorController message;
  *message.mutable_msmc()->mutable_plant() = first_order_plant();
  message.mutable_msmc()->set_law(config::PUBLISHED);
  const auto made = composition::make_controller(message, 1, kTick, "c");
  ASSERT_NE(dynamic_cast<const controllers::PublishedSlidingMode*>(made.get()), nullptr);
  const math::ZerosPolesGain lag{.zeros = {}, .poles = {-20.0}, .gain = 20.0};
  const controllers::ServoSettings servo{
      .tick = kTick, .plant = {.model = math::realise(lag, "p"), .process_noise = 1.0}};
  controllers::PublishedSlidingMode twin(
      1, {.servo = servo, .rate_weight = 1e-4, .surface_weight = {}, .tolerance = 300.0});
  EXPECT_EQ(first_drive(*made), first_drive(twin));
}

std::string complaint(const config::ActuatorController& message, int actuators) {
  try {
    composition::make_controller(message, actuators, kTick, "sites.west.controller");
  } catch (const SettingError& error) {
    return error.what();
  }
  return "";
}

TEST(ControllerCatalog, NamesTheFieldThatIsWrong) {
  config::ActuatorController message;
  *message.mutable_msmc()->mutable_plant() = first_order_plant();
  message.mutable_msmc()->set_integral_weight(1e4);
  EXPECT_EQ(complaint(message, 1), "");
  message.mutable_msmc()->set_tolerance(-1.0);
  EXPECT_EQ(complaint(message, 1),
            "sites.west.controller.msmc.tolerance: is -1; it must be a finite number above "
            "zero");
  message.mutable_msmc()->clear_tolerance();
  message.mutable_msmc()->mutable_plant()->set_delay(0.0004);
  EXPECT_EQ(complaint(message, 1).rfind("sites.west.controller.msmc.plant.delay: ", 0), 0U);
  message.mutable_msmc()->mutable_plant()->mutable_model()->clear_kind();
  EXPECT_EQ(complaint(message, 1).rfind("sites.west.controller.msmc.plant.model: ", 0), 0U);
}

TEST(ControllerCatalog, RefusesTheSettingsOfTheOtherLaw) {
  config::ActuatorController message;
  config::SlidingMode& it = *message.mutable_msmc();
  *it.mutable_plant() = first_order_plant();
  EXPECT_EQ(complaint(message, 1),
            "sites.west.controller.msmc.integral_weight: is missing; law: reaching needs "
            "it for its surface");
  it.set_integral_weight(1e4);
  it.set_sliding_tolerance(100.0);
  EXPECT_EQ(complaint(message, 1),
            "sites.west.controller.msmc.sliding_tolerance: belongs to law: published; "
            "leave it out, or change the law");
  it.set_law(config::PUBLISHED);
  EXPECT_EQ(complaint(message, 1),
            "sites.west.controller.msmc.integral_weight: belongs to law: reaching; leave "
            "it out, or change the law");
  it.clear_integral_weight();
  EXPECT_EQ(complaint(message, 1), "");
  it.mutable_surface_weight()->add_rows()->add_values(1.0);
  EXPECT_EQ(
      complaint(message, 1)
          .rfind("sites.west.controller.msmc.surface_weight: is 1 x 1; give 2 x 2", 0),
      0U);
  it.set_rate_weight(1e-4);
  EXPECT_EQ(complaint(message, 1),
            "sites.west.controller.msmc.rate_weight: stands beside surface_weight; give "
            "one of the two");
}

/// A remote site cannot read the integrator's files.
TEST(ControllerCatalog, SendsTheMatricesOfAPlantAsRows) {
  const std::string file = ::testing::TempDir() + "observed_plant_A.csv";
  std::ofstream(file) << "-20, 3\n0, -50\n";
  config::ActuatorController message;
  config::ObservedPlant& plant = *message.mutable_lqg()->mutable_plant();
  plant.set_process_noise(1.0);
  config::StateSpaceModel& model = *plant.mutable_model()->mutable_state_space();
  model.mutable_a()->set_file(file);
  model.mutable_a()->set_scale(2.0);
  config::MatrixEntry* entry = model.mutable_b()->add_entries();
  entry->set_row(2);
  entry->set_column(1);
  entry->set_value(30.0);
  model.mutable_c()->add_rows()->add_values(1.0);
  model.mutable_c()->mutable_rows(0)->add_values(0.0);
  message.mutable_lqg()->set_integral_weight(1e4);
  const double expected =
      first_drive(*composition::make_controller(message, 1, kTick, "c"));
  const config::ActuatorController sent = composition::inline_files(message, "c");
  EXPECT_EQ(sent.SerializeAsString().find(file), std::string::npos);
  std::remove(file.c_str());
  EXPECT_EQ(first_drive(*composition::make_controller(sent, 1, kTick, "c")), expected);
  EXPECT_THROW(composition::inline_files(message, "c"), SettingError);
}

}  // namespace
}  // namespace trestle::controller_catalog_test
