#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>

#include "adapters/plugin/plugin_rig.h"

namespace trestle::plugin {
namespace {

class NoClock final : public Clock {
 public:
  TimePoint now() const noexcept override { return TimePoint{}; }
  void advance_to(TimePoint /*until*/) noexcept override {}
};

/// A laboratory's binary is not built again for each of our releases.
TEST(PluginOfTheFirstRelease, StillRuns) {
  PluginRigSettings settings;
  settings.file = std::string(TRESTLE_TEST_PLUGINS) + "/first_release.so";
  PluginRig rig(settings, std::make_unique<NoClock>(), "adapter");
  const RigDescription is = rig.description();
  ASSERT_EQ(is.actuators.size(), 1U);
  EXPECT_EQ(is.actuators[0].name, "old jack");
  EXPECT_FALSE(is.real_equipment);
  rig.prepare({1e-3, 1});
  Measurement sensed = Measurement::zero(1);
  for (int n = 0; n < 10; ++n) {
    ASSERT_EQ(rig.read(TimePoint{std::chrono::milliseconds(n)}, sensed), AdapterStatus::kOk)
        << rig.diagnostic_message();
    EXPECT_DOUBLE_EQ(sensed.displacement[0], 1e-4 * n);
    EXPECT_DOUBLE_EQ(sensed.force[0], 200.0 * n);
    ASSERT_EQ(rig.write(ActuatorVector::Constant(1, 1e-4 * (n + 1))), AdapterStatus::kOk);
  }
  rig.hold();
  ASSERT_EQ(rig.read(TimePoint{std::chrono::milliseconds(10)}, sensed), AdapterStatus::kOk);
  EXPECT_DOUBLE_EQ(sensed.displacement[0], 9e-4);
}

}  // namespace
}  // namespace trestle::plugin
