#include <gtest/gtest.h>

#include <filesystem>

#include "adapters/driver/driver_proxy.h"
#include "adapters/plugin/plugin_rig.h"
#include "tests/support/heap_counter.h"

namespace trestle::driver {
namespace {

class StandingClock final : public Clock {
 public:
  TimePoint now() const noexcept override { return {}; }
  void advance_to(TimePoint /*until*/) noexcept override {}
};

TEST(DriverProxy, LeavesTheHeapAloneInTicksAndInFaults) {
  DriverSettings settings;
  settings.file = std::string(TRESTLE_TEST_PLUGINS) + "/misbehaving.so";
  settings.settings = "fault: trips\nat: 200\n";
  settings.folder = ::testing::TempDir() + "trestle-driver-heap";
  plugin::PluginRigSettings of_rig;
  of_rig.file = settings.file;
  plugin::PluginRig rig(of_rig, std::make_unique<DriverProxy>(settings, "adapter"),
                        std::make_unique<StandingClock>(), "adapter");
  rig.prepare({.tick = 1e-3, .seed = 1});
  SnapshotWriter snapshot;
  rig.save(snapshot);  // makes its room
  Measurement sensed = Measurement::zero(1);
  const ActuatorVector drive = ActuatorVector::Zero(1);
  int faults = 0;
  const std::size_t before = testing::heap_allocations();
  for (int n = 0; n < 300; ++n) {
    if (rig.read(TimePoint{std::chrono::milliseconds(n)}, sensed) != AdapterStatus::kOk)
      ++faults;
    rig.write(drive);
    snapshot.clear();
    rig.save(snapshot);
    rig.hold();
  }
  EXPECT_EQ(testing::heap_allocations() - before, 0U);
  EXPECT_EQ(faults, 101);
}

}  // namespace
}  // namespace trestle::driver
