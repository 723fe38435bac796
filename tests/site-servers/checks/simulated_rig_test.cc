#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include "composition/rigs/simulated_factory.h"
#include "proto/config/rig.pb.h"
#include "site-servers/checks/startup_checks.h"
#include "site-servers/kinematics/matrix_frame.h"

namespace trestle::checks::simulated_rig_test {
namespace {

constexpr double kTick = 1.0 / 1024.0;

std::unique_ptr<SiteAdapter> simulated() {
  config::Rig rig;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
      "actuators {second_order {frequency: 18 damping: 0.7}} actuators {delay {delay: "
      "0.01}}"
      "noise {displacement: 2e-6 force: 30} noise {displacement: 2e-6 force: 30}"
      "specimen {springs {laws {linear {stiffness: 1.5e7}} laws {linear {stiffness: "
      "2e6}}}}",
      &rig));
  return composition::make_simulated_rig(
      rig, "west",
      std::make_unique<kinematics::MatrixFrame>(kinematics::MatrixFrame::identity(2)),
      "rig");
}

std::vector<double> first_readings(SiteAdapter& rig) {
  std::vector<double> values;
  Measurement sensed = Measurement::zero(2);
  for (int n = 0; n < 20; ++n) {
    EXPECT_EQ(rig.read(TimePoint(std::chrono::microseconds(n * 977)), sensed),
              AdapterStatus::kOk);
    values.insert(values.end(), {sensed.displacement[0], sensed.displacement[1],
                                 sensed.force[0], sensed.force[1]});
    rig.write(ActuatorVector::Constant(2, 1e-5 * n));
  }
  return values;
}

TEST(StartupChecks, LeaveNoTraceInASimulatedRigThatIsPreparedAgain) {
  const RigRun run{kTick, 5};
  const auto fresh = simulated();
  fresh->prepare(run);
  const auto checked = simulated();
  checked->prepare(run);
  StartupChecks checks({{1e-4, 1e-4}, {200.0, 200.0}, {1e-3, 1e-3}}, {},
                       checked->description().actuators, kTick);
  EXPECT_EQ(checks.run(*checked), "");
  checked->prepare(run);
  EXPECT_EQ(first_readings(*checked), first_readings(*fresh));
}

}  // namespace
}  // namespace trestle::checks::simulated_rig_test
