#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "adapters/simulated/bouc_wen_hinge.h"
#include "adapters/simulated/column_specimen.h"
#include "adapters/simulated/independent_actuators.h"
#include "adapters/simulated/linear_actuators.h"
#include "adapters/simulated/pure_delay.h"
#include "adapters/simulated/simulated_rig.h"
#include "composition/hybrid_test/rig_factory.h"
#include "site-servers/compensators/ats_compensator.h"
#include "site-servers/controllers/pid_controller.h"
#include "site-servers/kinematics/matrix_frame.h"
#include "site-servers/node/control_loop.h"

namespace trestle::simulated {
namespace {

constexpr int kTicksPerStep = 4;
constexpr double kTick = 1.0 / 1024.0;
constexpr double kStep = kTicksPerStep * kTick;
constexpr Duration kTickDuration{976562};

std::unique_ptr<SimulatedRig> make_rig(const std::string& site) {
  const ColumnSettings column{.dofs = 1,
                              .elastic_modulus = 210e9,
                              .area = 78.1e-4,
                              .second_moment = 5696e-8,
                              .height = 3.0};
  const HingeSettings hinge{20e3, 0.03, ColumnSpecimen::end_stiffness(column)};
  std::vector<std::unique_ptr<ActuatorModel>> actuators;
  if (site == "west")
    actuators.push_back(
        std::make_unique<LinearActuators>(second_order_lag(18.0, 0.7, 1.0)));
  else
    actuators.push_back(
        std::make_unique<PureDelay>(PureDelaySettings{.delay = 4.3 * kTick}));
  return std::make_unique<SimulatedRig>(
      site, RigDescription{}, std::make_unique<IndependentActuators>(std::move(actuators)),
      std::make_unique<ColumnSpecimen>(column, std::make_unique<BoucWenHinge>(hinge, 2.0),
                                       nullptr),
      std::make_unique<kinematics::MatrixFrame>(kinematics::MatrixFrame::identity(1)),
      SensorNoise{ActuatorVector::Constant(1, 2e-6), ActuatorVector::Constant(1, 20.0)});
}

site_node::ControlLoopSettings loop_settings() {
  site_node::ControlLoopSettings settings{.time_step = kStep,
                                          .ticks_per_step = kTicksPerStep};
  settings.layout.push_back({.name = "floor.x"});
  return settings;
}

/// One site: its rig, and the loop that moves it.
class Site {
 public:
  explicit Site(const std::string& name)
      : rig_(make_rig(name)),
        loop_(loop_settings(), frame_,
              std::make_unique<compensators::AtsCompensator>(
                  1, compensators::AtsSettings{.tick = kTick, .expected_delay = 0.01}),
              std::make_unique<controllers::PidController>(
                  1, controllers::PidSettings{.tick = kTick,
                                              .proportional = 0.05,
                                              .integral = 0.1,
                                              .derivative = 1e-5,
                                              .filter = 50.0}),
              *rig_, nullptr) {
    rig_->prepare({.tick = kTick, .seed = 7});
  }

  void open() { sense(); }
  StepResponse step(const StepCommand& command) {
    loop_.accept(command);
    while (loop_.step_open()) {
      loop_.act();
      sense();
    }
    StepResponse response;
    loop_.answer(response);
    EXPECT_FALSE(loop_.fault());
    return response;
  }

  void save(SnapshotWriter& snapshot) const {
    rig_->save(snapshot);
    loop_.save(snapshot);
    snapshot.add(static_cast<double>(ticks_));
  }
  void restore(SnapshotReader& snapshot) {
    rig_->restore(snapshot);
    loop_.restore(snapshot);
    ticks_ = static_cast<std::int64_t>(snapshot.next());
  }

 private:
  void sense() { loop_.sense(TimePoint(ticks_++ * kTickDuration)); }

  kinematics::MatrixFrame frame_ = kinematics::MatrixFrame::identity(1);
  std::unique_ptr<SimulatedRig> rig_;
  site_node::ControlLoop loop_;
  std::int64_t ticks_ = 0;
};

/// A floor of one DOF on two columns, each at a separate site; central differences.
class TwoSiteTest {
 public:
  void open() {
    for (Site& site : sites_) site.open();
  }
  /// @returns what both sites measured: displacement, force
  std::array<double, 4> step(std::int64_t k) {
    StepCommand command;
    command.step = k;
    command.target = InterfaceMotion::zero(1);
    command.target.displacement(0) = displacement_;
    command.target.velocity(0) = velocity_;
    command.target.acceleration(0) = acceleration_;
    const StepResponse west = sites_[0].step(command);
    const StepResponse east = sites_[1].step(command);
    constexpr double kMass = 20e3;
    const double load = 60e3 * std::sin(0.05 * static_cast<double>(k));
    acceleration_ = (load - west.force(0) - east.force(0)) / kMass - 0.6 * velocity_;
    velocity_ += kStep * acceleration_;
    displacement_ += kStep * velocity_;
    return {west.measured(0), west.force(0), east.measured(0), east.force(0)};
  }

  void save(SnapshotWriter& snapshot) const {
    for (const Site& site : sites_) site.save(snapshot);
    for (const double value : {displacement_, velocity_, acceleration_})
      snapshot.add(value);
  }
  void restore(SnapshotReader& snapshot) {
    for (Site& site : sites_) site.restore(snapshot);
    for (double* value : {&displacement_, &velocity_, &acceleration_})
      *value = snapshot.next();
  }

 private:
  std::array<Site, 2> sites_{Site("west"), Site("east")};
  double displacement_ = 0.0;
  double velocity_ = 0.0;
  double acceleration_ = 0.0;
};

TEST(TwoSiteSnapshot, NewRigsAndLoopsGoOnBitForBit) {
  constexpr std::int64_t kHalf = 200;
  TwoSiteTest original;
  original.open();
  double largest = 0.0;
  for (std::int64_t k = 0; k < kHalf; ++k)
    largest = std::fmax(largest, std::abs(original.step(k)[0]));
  // The foot yields at 20 kN·m · h²/(3 EI) = 5 mm: the columns have a past to remember.
  EXPECT_GT(largest, 0.015);

  SnapshotWriter writer;
  original.save(writer);
  TwoSiteTest copy;
  SnapshotReader reader(writer.values());
  copy.restore(reader);
  EXPECT_TRUE(reader.at_end());
  for (std::int64_t k = kHalf; k < 2 * kHalf; ++k)
    ASSERT_EQ(copy.step(k), original.step(k));
}

}  // namespace
}  // namespace trestle::simulated
