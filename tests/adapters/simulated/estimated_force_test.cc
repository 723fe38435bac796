#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "composition/hybrid_test/rig_factory.h"
#include "composition/rigs/simulated_factory.h"
#include "core/base/setting_error.h"
#include "proto/config/rig.pb.h"
#include "site-servers/kinematics/matrix_frame.h"

namespace trestle::simulated::estimated_force_test {
namespace {

constexpr double kTick = 1.0 / 1024.0;
constexpr double kStiffness = 2e6;

const std::string kServo = "zpk {entries {to: 1 from: 1 poles {re: -20} gain: 20}}";
const std::string kEstimator =
    "estimator {model {" + kServo + "} process_noise: 0.01 sensor_noise: 1}";

std::unique_ptr<SiteAdapter> make_rig(const std::string& noise, const std::string& force) {
  config::Rig message;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
      "transfer_matrix {" + kServo + "} specimen {linear {stiffness {values: 2e6}}}" +
          noise + force,
      &message));
  auto rig = composition::make_simulated_rig(
      message, "west",
      std::make_unique<kinematics::MatrixFrame>(kinematics::MatrixFrame::identity(1)),
      "rig");
  rig->prepare({.tick = kTick, .seed = 5});
  return rig;
}

Measurement read(SiteAdapter& rig, int k) {
  Measurement sensed = Measurement::zero(1);
  rig.read(TimePoint{} + Duration(std::llround(1e9 * kTick * k)), sensed);
  rig.write(ActuatorVector::Constant(1, 4e-3 * std::sin(0.014 * k)));
  return sensed;
}

/// Root mean square of the force less that of a rig without noise [N].
double force_error(const std::string& force) {
  constexpr int kTicks = 4096;
  const auto quiet = make_rig("", "");
  const auto noisy = make_rig("noise {displacement: 12e-6}", force);
  double sum = 0.0;
  for (int k = 0; k < kTicks; ++k)
    sum += std::pow(read(*noisy, k).force(0) - read(*quiet, k).force(0), 2);
  return std::sqrt(sum / kTicks);
}

TEST(EstimatedForce, HasLittleOfTheNoiseThatTheTransducersRead) {
  const double of_read = force_error("force_from_measured: true");
  EXPECT_NEAR(of_read, kStiffness * 12e-6, 0.05 * kStiffness * 12e-6);
  EXPECT_LT(force_error("force_from_measured: true " + kEstimator), 0.1 * of_read);
}

TEST(EstimatedForce, GoesOnFromASnapshotToTheBit) {
  const std::string force = "force_from_measured: true " + kEstimator;
  const auto rig = make_rig("noise {displacement: 12e-6}", force);
  const auto twin = make_rig("noise {displacement: 12e-6}", force);
  for (int k = 0; k < 50; ++k) read(*rig, k);
  SnapshotWriter writer;
  rig->save(writer);
  SnapshotReader reader(writer.values());
  twin->restore(reader);
  EXPECT_TRUE(reader.at_end());
  for (int k = 50; k < 100; ++k) EXPECT_EQ(read(*twin, k).force, read(*rig, k).force);
}

TEST(EstimatedForce, IsRefusedWhereTheForceIsNotComputed) {
  try {
    make_rig("", kEstimator);
    FAIL() << "an estimate that nothing uses";
  } catch (const SettingError& error) {
    EXPECT_EQ(std::string(error.what()),
              "rig.estimator: estimates what nothing uses; it needs force_from_measured");
  }
}

}  // namespace
}  // namespace trestle::simulated::estimated_force_test
