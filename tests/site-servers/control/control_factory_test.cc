#include "composition/sites/control_factory.h"

#include <gtest/gtest.h>

#include "composition/sites/compensator_factory.h"
#include "composition/sites/controller_factory.h"
#include "core/base/setting_error.h"
#include "proto/config/control.pb.h"
#include "proto/config/site.pb.h"
#include "site-servers/compensators/ats_compensator.h"
#include "site-servers/compensators/no_compensator.h"
#include "site-servers/compensators/polynomial_extrapolation.h"
#include "site-servers/controllers/pass_through.h"
#include "site-servers/controllers/pid_controller.h"

namespace trestle::control_catalog_test {
namespace {

constexpr double kTick = 1e-3;

template <typename Action>
std::string complaint(const Action& action) {
  try {
    action();
  } catch (const SettingError& error) {
    return error.what();
  }
  return "";
}

TEST(ControlCatalog, MakesNothingOfNothing) {
  const auto compensator =
      composition::make_compensator(config::Compensator(), 2, kTick, "c");
  EXPECT_NE(dynamic_cast<const compensators::NoCompensator*>(compensator.get()), nullptr);
  const auto controller = composition::make_controller(std::string_view(), 2, kTick, "c");
  EXPECT_NE(dynamic_cast<const controllers::PassThrough*>(controller.get()), nullptr);
}

TEST(ControlCatalog, MakesACompensatorFromItsBytes) {
  config::Compensator message;
  message.mutable_ats()->add_expected_delay(0.012);
  const auto made = composition::make_compensator(
      std::string_view(message.SerializeAsString()), 2, kTick, "c");
  const auto* ats = dynamic_cast<const compensators::AtsCompensator*>(made.get());
  ASSERT_NE(ats, nullptr);
  EXPECT_DOUBLE_EQ(ats->delay(1), 0.012);
}

TEST(ControlCatalog, ExtrapolatesWithOrderThreeByDefault) {
  config::Compensator message;
  message.mutable_polynomial()->add_delay(0.012);
  const auto made = composition::make_compensator(message, 2, kTick, "c");
  const auto* polynomial =
      dynamic_cast<const compensators::PolynomialExtrapolation*>(made.get());
  ASSERT_NE(polynomial, nullptr);
  EXPECT_EQ(polynomial->coefficients(1).size(), 4U);
}

TEST(ControlCatalog, MakesAPid) {
  config::ActuatorController message;
  message.mutable_pid()->set_proportional(0.5);
  const auto made = composition::make_controller(message, 1, kTick, "c");
  ASSERT_NE(dynamic_cast<const controllers::PidController*>(made.get()), nullptr);
  EXPECT_EQ(made->drive(ActuatorVector::Ones(1), Measurement::zero(1))[0], 1.5);
}

TEST(ControlCatalog, SaysWhichFieldCannotWork) {
  config::Compensator message;
  message.mutable_ats()->add_expected_delay(0.012);
  message.mutable_ats()->set_memory(0.005);
  const auto make = [&] {
    composition::make_compensator(message, 1, kTick, "sites.west.compensator");
  };
  EXPECT_EQ(complaint(make),
            "sites.west.compensator.ats.memory: memory is 0.005000; "
            "must be at least ten control ticks, 0.010000 s");
}

TEST(ControlCatalog, RefusesBytesThatAreNoMessage) {
  const auto make = [] {
    composition::make_compensator(std::string_view("\xff\xff\xff"), 1, kTick, "c");
  };
  EXPECT_NE(complaint(make), "");
}

TEST(ControlCatalog, MakesLimitsOfWhatIsStated) {
  config::Limits message;
  EXPECT_TRUE(composition::make_limits(message, 2, "limits").empty());
  message.add_actuators()->set_rate(0.4);
  const RigLimits expected{{.rate = 0.4}};
  EXPECT_EQ(composition::make_limits(message, 1, "limits"), expected);
  EXPECT_EQ(composition::make_limits(message, 0, "limits"), expected);
  EXPECT_EQ(complaint([&] { composition::make_limits(message, 2, "limits"); }),
            "limits.actuators: 1 entries for 2 actuators; give one each");
  message.mutable_actuators(0)->set_tracking_dwell(0.1);
  EXPECT_EQ(
      complaint([&] { composition::make_limits(message, 1, "limits"); }),
      "limits.actuators[0].tracking_dwell: tracking_dwell waits for a tracking_error; "
      "give that limit too");
}

TEST(ControlCatalog, HoldsWhereNoSafeActionIsStated) {
  EXPECT_EQ(composition::make_safe_action(config::SafeAction(), 2, "safe_action").kind,
            safety::SafeAction::Kind::kHold);
}

TEST(ControlCatalog, MakesASafeActionOfOneValueForAllOrOneEach) {
  config::SafeAction message;
  message.mutable_ramp_home()->add_rate(0.01);
  message.mutable_ramp_home()->add_acceleration(0.1);
  message.mutable_ramp_home()->add_acceleration(0.2);
  const safety::SafeAction home = composition::make_safe_action(message, 2, "safe_action");
  EXPECT_EQ(home.kind, safety::SafeAction::Kind::kRampHome);
  EXPECT_EQ(home.rate, (ActuatorVector{{0.01, 0.01}}));
  EXPECT_EQ(home.acceleration, (ActuatorVector{{0.1, 0.2}}));
  message.mutable_unload()->add_rate(0.01);
  message.mutable_unload()->add_band(500.0);
  message.mutable_unload()->add_travel(0.02);
  const safety::SafeAction unload =
      composition::make_safe_action(message, 2, "safe_action");
  EXPECT_EQ(unload.kind, safety::SafeAction::Kind::kUnload);
  EXPECT_EQ(unload.band, (ActuatorVector{{500.0, 500.0}}));
  EXPECT_EQ(unload.travel, (ActuatorVector{{0.02, 0.02}}));
}

TEST(ControlCatalog, SaysWhichFieldOfASafeActionCannotWork) {
  config::SafeAction message;
  message.mutable_ramp_home()->add_rate(0.01);
  message.mutable_ramp_home()->add_rate(0.02);
  message.mutable_ramp_home()->add_acceleration(0.1);
  EXPECT_EQ(
      complaint([&] { composition::make_safe_action(message, 3, "sites[0].safe_action"); }),
      "sites[0].safe_action.ramp_home.rate: 2 values for 3 actuators; give one for "
      "all or one each");
  message.mutable_ramp_home()->set_rate(1, 0.0);
  EXPECT_EQ(
      complaint([&] { composition::make_safe_action(message, 2, "sites[0].safe_action"); }),
      "sites[0].safe_action.ramp_home.rate: is 0.000000 for actuator 2; must be "
      "above zero, and a number");
}

TEST(ControlCatalog, PutsLimitsOnTargets) {
  config::Limits message;
  config::InterfaceLimit& limit = *message.add_interface();
  limit.set_dof("rz");
  limit.set_displacement(0.02);
  const InterfaceLayout layout{{.name = "floor_w.x"}, {.name = "floor_w.rz"}};
  const InterfaceLayout limited = composition::limit_targets(message, layout, "limits");
  EXPECT_EQ(limited[0].displacement_limit, layout[0].displacement_limit);
  EXPECT_EQ(limited[1].displacement_limit, 0.02);
}

}  // namespace
}  // namespace trestle::control_catalog_test
