#include "composition/sites/control_presets.h"

#include <gtest/gtest.h>

#include "composition/sites/compensator_factory.h"
#include "composition/sites/controller_factory.h"
#include "core/base/setting_error.h"
#include "proto/config/control.pb.h"
#include "proto/config/site.pb.h"

namespace trestle::control_presets_test {
namespace {

constexpr double kTick = 1.0 / 1024.0;

config::Site site() {
  config::Site made;
  made.add_interface("wheel.y");
  made.mutable_transfer_system()->mutable_servo_hydraulic();
  return made;
}

void resolve(config::Site& site) {
  composition::expand_presets(site, 1, kTick, "sites[0]");
  // What was written out can be made.
  composition::make_compensator(site.compensator(), 1, kTick, "c");
  composition::make_controller(site.controller(), 1, kTick, "c");
}

double initial(const config::Site& site, int i) {
  return site.compensator().ats().initial().coefficients(0).values(i);
}

TEST(ControlPresets, AtsAloneStartsFromTheFitOfTheTransferSystem) {
  config::Site it = site();
  it.mutable_compensator()->mutable_ats();
  resolve(it);
  EXPECT_NEAR(initial(it, 0), 0.99465, 1e-5);
  EXPECT_NEAR(initial(it, 1), 0.035757, 1e-6);
  EXPECT_NEAR(initial(it, 2), 3.2913e-4, 1e-8);
  EXPECT_EQ(it.controller().kind_case(), config::ActuatorController::KIND_NOT_SET);
}

TEST(ControlPresets, LqgIsAControllerWithoutACompensator) {
  config::Site it = site();
  it.mutable_compensator()->mutable_lqg()->set_latency_samples(2);
  resolve(it);
  EXPECT_TRUE(it.compensator().has_none());
  ASSERT_TRUE(it.controller().has_lqg());
  EXPECT_EQ(it.controller().lqg().integral_weight(), 1e6);
  EXPECT_EQ(it.controller().lqg().latency_samples(), 2U);
}

TEST(ControlPresets, AtsLqgFitsTheLoopAndNotTheTable) {
  config::Site it = site();
  it.mutable_compensator()->mutable_ats_lqg();
  resolve(it);
  ASSERT_TRUE(it.compensator().has_ats());
  EXPECT_NEAR(initial(it, 0), 0.99680, 1e-5);
  EXPECT_NEAR(initial(it, 1), 0.018971, 1e-6);
  EXPECT_NEAR(initial(it, 2), 1.8565e-4, 1e-8);
  EXPECT_EQ(it.compensator().ats().a1().highest(), 0.08);
  EXPECT_EQ(it.compensator().ats().a2().lowest(), -0.001);
}

// The loop of a design that knows of three ticks lags a ramp by three ticks more: (1 + K1 +
// what is fed back of the stored drives)/kI, 23.80 ms after 20.87 ms.
TEST(ControlPresets, AtsLqgStartsFromTheLoopWithItsLatency) {
  const auto slope = [](std::uint32_t latency) {
    config::Site it = site();
    config::AtsLqgPreset& preset = *it.mutable_compensator()->mutable_ats_lqg();
    preset.mutable_lqg()->set_latency_samples(latency);
    preset.mutable_ats()->mutable_initial()->set_rule(config::TAYLOR);
    resolve(it);
    return initial(it, 1);
  };
  EXPECT_NEAR(slope(3) - slope(0), 3.0 * kTick, 1e-3 * kTick);
}

TEST(ControlPresets, TheFixedInverseIsTheTaylorSeries) {
  config::Site it = site();
  it.mutable_compensator()->mutable_fixed_inverse();
  resolve(it);
  const auto& values = it.compensator().fixed_inverse().coefficients().coefficients(0);
  EXPECT_NEAR(values.values(0), 1.0, 1e-9);
  EXPECT_NEAR(values.values(1), 0.04, 1e-9);
  EXPECT_NEAR(values.values(2), 3.480e-4, 5e-8);
}

TEST(ControlPresets, TheLegacyFormKnowsADelayAndNoMore) {
  config::Site it = site();
  it.mutable_compensator()->mutable_legacy_filtered_command();
  resolve(it);
  EXPECT_NEAR(initial(it, 1), 0.04, 1e-9);
  EXPECT_NEAR(initial(it, 2), 8e-4, 1e-9);
  EXPECT_EQ(it.compensator().ats().target_filter().frequency(), 12.0);
}

TEST(ControlPresets, WrittenOutTwiceIsWrittenOutOnce) {
  config::Site it = site();
  it.mutable_compensator()->mutable_ats_lqg();
  resolve(it);
  const std::string once = it.SerializeAsString();
  resolve(it);
  EXPECT_EQ(it.SerializeAsString(), once);
}

TEST(ControlPresets, APresetWithoutATransferSystemSaysWhatIsMissing) {
  config::Site it;
  it.add_interface("wheel.y");
  it.mutable_compensator()->mutable_lqg();
  try {
    composition::expand_presets(it, 1, kTick, "sites[0]");
    FAIL();
  } catch (const SettingError& error) {
    EXPECT_EQ(error.problems().front().path, "sites[0].compensator.lqg");
    EXPECT_NE(error.problems().front().what.find("transfer_system"), std::string::npos);
  }
}

TEST(ControlPresets, APresetBesideAnotherControllerIsRefused) {
  config::Site it = site();
  it.mutable_controller()->mutable_pid();
  it.mutable_compensator()->mutable_ats_lqg();
  EXPECT_THROW(composition::expand_presets(it, 1, kTick, "sites[0]"), SettingError);
}

TEST(ControlPresets, PredictiveControlTakesTheTransferSystemForItsPlant) {
  config::Site it = site();
  it.mutable_compensator()->mutable_mpc();
  resolve(it);
  EXPECT_TRUE(it.compensator().mpc().plant().model().has_servo_hydraulic());
  const std::string once = it.SerializeAsString();
  resolve(it);
  EXPECT_EQ(it.SerializeAsString(), once);
}

TEST(ControlPresets, PredictiveControlAroundAControllerNeedsItsPlant) {
  config::Site it = site();
  it.mutable_compensator()->mutable_mpc();
  it.mutable_controller()->mutable_pid();
  try {
    composition::expand_presets(it, 1, kTick, "sites[0]");
    FAIL();
  } catch (const SettingError& error) {
    EXPECT_EQ(error.problems().front().path, "sites[0].compensator.mpc.plant");
    EXPECT_NE(error.problems().front().what.find("controller"), std::string::npos);
  }
}

TEST(ControlPresets, AnAtsAroundADelayIsLeftAsItIs) {
  config::Site it = site();
  it.mutable_compensator()->mutable_ats()->add_expected_delay(0.01);
  const std::string before = it.SerializeAsString();
  resolve(it);
  EXPECT_EQ(it.SerializeAsString(), before);
}

}  // namespace
}  // namespace trestle::control_presets_test
