#include <gtest/gtest.h>

#include <cmath>

#include "core/base/setting_error.h"
#include "site-servers/compensators/no_compensator.h"
#include "site-servers/controllers/pass_through.h"
#include "site-servers/kinematics/coupler_frame.h"
#include "site-servers/node/control_loop.h"
#include "tests/site-servers/node/spring_rig.h"

namespace trestle::site_node::force_only_test {
namespace {

using testing::SpringRig;

const InterfaceDof kX{.name = "top.x"};
const InterfaceDof kRz{.name = "top.rz", .kind = DofKind::kRotation};
const InterfaceDof kFelt{
    .name = "foot.rz", .kind = DofKind::kRotation, .role = DofRole::kForceOnly};

/// A coupler on an ideal rig with springs along its actuators and load cells besides.
struct Site {
  explicit Site(const InterfaceLayout& layout = {kX, kRz, kFelt}, int reactions = 1)
      : rig(2, reactions),
        loop({.layout = layout, .time_step = 0.01}, frame,
             std::make_unique<compensators::NoCompensator>(),
             std::make_unique<controllers::PassThrough>(), rig, nullptr) {}

  Fault step(std::int64_t number, double x, double rz) {
    StepCommand command;
    command.step = number;
    command.target = InterfaceMotion::zero(2);
    command.target.displacement << x, rz;
    if (const Fault fault = loop.accept(command)) return fault;
    if (const Fault fault = loop.act()) return fault;
    return loop.sense(TimePoint{});
  }

  kinematics::CouplerFrame frame{{.arm = 0.3, .angle = 0.44}};
  SpringRig rig;
  ControlLoop loop;
};

TEST(ForceOnlyDofs, StandBehindTheControlledOnesInTheForcesAndNotInTheMotion) {
  Site site;
  site.rig.disturbance.force_only[0] = 321.0;
  ASSERT_FALSE(site.loop.sense(TimePoint{}));
  ASSERT_FALSE(site.step(0, 0.02, 0.3));
  StepResponse answer;
  site.loop.answer(answer);
  ASSERT_EQ(answer.measured.size(), 2);
  EXPECT_NEAR(answer.measured[0], 0.02, 1e-16);
  EXPECT_NEAR(answer.measured[1], 0.3, 1e-15);
  ASSERT_EQ(answer.force.size(), 3);
  EXPECT_EQ(answer.force[2], 321.0);
  // Springs along the actuators: the energy's derivative by rz is the moment.
  const auto energy = [&](double rz) {
    return 0.5 * SpringRig::kStiffness *
           site.frame.to_actuators(InterfaceVector{{0.02, rz}}).squaredNorm();
  };
  EXPECT_NEAR(answer.force[1], (energy(0.3 + 1e-5) - energy(0.3 - 1e-5)) / 2e-5,
              1e-7 * std::abs(answer.force[1]));
}

TEST(ForceOnlyDofs, MoreLoadCellsThanAskedForAreLeftOut) {
  Site site({kX, kRz, kFelt}, 3);
  site.rig.disturbance.force_only << 1.0, 2.0, 3.0;
  site.loop.sense(TimePoint{});
  StepResponse answer;
  site.loop.answer(answer);
  ASSERT_EQ(answer.force.size(), 3);
  EXPECT_EQ(answer.force[2], 1.0);
}

TEST(ForceOnlyDofs, AReactionThatIsNoNumberStopsTheRig) {
  Site site;
  site.loop.sense(TimePoint{});
  site.rig.disturbance.force_only[0] = std::nan("");
  EXPECT_EQ(site.step(0, 0.0, 0.0).kind, FaultKind::kNotFinite);
  EXPECT_EQ(site.loop.fault().index, -1);
}

TEST(ForceOnlyDofs, AReadThatBringsTooFewReactionsStopsTheRig) {
  Site site;
  site.rig.disturbance.force_only.resize(0);
  EXPECT_EQ(site.loop.sense(TimePoint{}).kind, FaultKind::kAdapter);
}

TEST(ForceOnlyDofs, StrokesThatTheCouplerCannotStandInStopTheRig) {
  Site site;
  site.loop.sense(TimePoint{});
  site.rig.disturbance.displacement << 0.2, -0.2;
  EXPECT_EQ(site.step(0, 0.0, 0.0).kind, FaultKind::kNotFinite);
}

TEST(ForceOnlyDofs, ALayoutThatTheSiteCannotServeIsRefused) {
  EXPECT_THROW(Site({kX, kRz, kFelt}, 0), SettingError);
  EXPECT_THROW(Site({kX, kFelt, kRz}, 1), SettingError);
  EXPECT_THROW(Site({kRz, kX}, 1), SettingError);
  EXPECT_THROW(Site({kX}, 1), SettingError);
}

TEST(ForceOnlyDofs, ASnapshotKeepsTheLastReaction) {
  Site original;
  original.rig.disturbance.force_only[0] = 5.0;
  original.loop.sense(TimePoint{});
  SnapshotWriter writer;
  original.loop.save(writer);
  Site copy;
  SnapshotReader reader(writer.values());
  copy.loop.restore(reader);
  EXPECT_TRUE(reader.at_end());
  StepResponse answer;
  copy.loop.answer(answer);
  EXPECT_EQ(answer.force[2], 5.0);
}

}  // namespace
}  // namespace trestle::site_node::force_only_test
