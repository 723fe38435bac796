#include "adapters/simulated/dynamic_specimen.h"

#include <gtest/gtest.h>

#include <cmath>

#include "adapters/simulated/linear_actuators.h"
#include "core/math/sampled_system.h"
#include "core/math/transfer_function.h"

namespace trestle::simulated::dynamic_specimen_test {
namespace {

using Eigen::MatrixXd;

constexpr double kTick = 1.0 / 1024.0;

QuarterVehicleSettings vehicle() {
  return {.car_mass = 8446.5,
          .secondary_stiffness = 225e3,
          .secondary_damping = 1e4,
          .bogie_mass = 1028.0,
          .primary_stiffness = 1772e3,
          .primary_damping = 2e4};
}

InterfaceVector one(double value) {
  return InterfaceVector::Constant(1, value);
}

/// Table and vehicle as one system of nine states, drive to (x, F).
math::StateSpace table_with_vehicle(const math::StateSpace& table) {
  const QuarterVehicleSettings it = vehicle();
  math::StateSpace whole{MatrixXd::Zero(9, 9), MatrixXd::Zero(9, 1), MatrixXd::Zero(2, 9),
                         MatrixXd::Zero(2, 1)};
  whole.A.topLeftCorner(5, 5) = table.A;
  whole.B.topRows(5) = table.B;
  whole.C.topLeftCorner(1, 5) = table.C;
  const MatrixXd rate = table.C * table.A;
  // States 5 ... 8: dt, dt', dc, dc'.
  whole.A(5, 6) = 1.0;
  whole.A(7, 8) = 1.0;
  whole.A.block(6, 0, 1, 5) =
      (it.primary_stiffness * table.C + it.primary_damping * rate) / it.bogie_mass;
  whole.A(6, 5) = -(it.primary_stiffness + it.secondary_stiffness) / it.bogie_mass;
  whole.A(6, 6) = -(it.primary_damping + it.secondary_damping) / it.bogie_mass;
  whole.A(6, 7) = it.secondary_stiffness / it.bogie_mass;
  whole.A(6, 8) = it.secondary_damping / it.bogie_mass;
  whole.A(8, 5) = it.secondary_stiffness / it.car_mass;
  whole.A(8, 6) = it.secondary_damping / it.car_mass;
  whole.A(8, 7) = -it.secondary_stiffness / it.car_mass;
  whole.A(8, 8) = -it.secondary_damping / it.car_mass;
  whole.C.row(1) = it.bogie_mass * whole.A.row(6) + it.car_mass * whole.A.row(8);
  return whole;
}

// The specimen's path between ticks is right to the fifth power of the tick over the
// table's fastest time constant, (380/1024)^5/600 of its fastest motion: 1e-5 at most.
TEST(DynamicSpecimen, WithATableItIsTheOneSystemOfBothUnderAHeldDrive) {
  const math::StateSpace table =
      math::realise(math::transfer_function(math::ServoHydraulicTable{}), "table");
  math::SampledSystem whole(table_with_vehicle(table), kTick);
  LinearActuators actuators(table);
  actuators.prepare(kTick);
  DynamicSpecimen specimen(quarter_vehicle(vehicle()));
  specimen.prepare(kTick);
  ActuatorMotion stroke = ActuatorMotion::zero(1);
  double worst = 0.0;
  double largest = 0.0;
  for (int n = 0; n < 4096; ++n) {
    // A drive that jumps, and tones up to 30 Hz.
    const double t = n * kTick;
    const double drive =
        1e-3 * (std::sin(8.0 * t) + 0.3 * std::sin(188.0 * t)) + (n > 1000 ? 1e-3 : 0.0);
    whole.advance(Eigen::VectorXd::Constant(1, drive));
    actuators.advance(one(drive), stroke);
    const double force =
        specimen.advance(stroke.displacement, stroke.velocity, stroke.acceleration)[0];
    EXPECT_NEAR(stroke.displacement[0], whole.output()(0), 1e-12);
    worst = std::max(worst, std::abs(force - whole.output()(1)));
    largest = std::max(largest, std::abs(force));
  }
  EXPECT_LT(worst, 1e-6 * largest);
}

TEST(DynamicSpecimen, AnUpwardAccelerationOfTheWheelIsAPositiveForceOfTheWholeMass) {
  DynamicSpecimen specimen(quarter_vehicle(vehicle()));
  specimen.prepare(kTick);
  constexpr double kLift = 0.1;  // [m/s²], constant: the bodies follow in the end
  double force = 0.0;
  for (int n = 1; n <= 60 * 1024; ++n) {
    const double t = n * kTick;
    force = specimen.advance(one(0.5 * kLift * t * t), one(kLift * t), one(kLift))[0];
  }
  EXPECT_NEAR(force, (8446.5 + 1028.0) * kLift, 1e-3);
}

TEST(DynamicSpecimen, TheWheelsInertiaCountsWhereItIsAskedFor) {
  QuarterVehicleSettings heavy = vehicle();
  heavy.wheel_mass = 1267.0;
  DynamicSpecimen with(quarter_vehicle(heavy));
  DynamicSpecimen without(quarter_vehicle(vehicle()));
  with.prepare(kTick);
  without.prepare(kTick);
  const InterfaceVector d = one(1e-6);
  const InterfaceVector v = one(1e-3);
  const InterfaceVector a = one(2.0);
  EXPECT_NEAR(with.advance(d, v, a)[0] - without.advance(d, v, a)[0], 2.0 * 1267.0, 1e-9);
}

TEST(DynamicSpecimen, ToTheRestOfTheStructureItIsItsMassAlone) {
  const DynamicSpecimen specimen(quarter_vehicle(vehicle()));
  EXPECT_EQ(specimen.dofs(), 1);
  EXPECT_NEAR(specimen.initial_stiffness()(0, 0), 0.0, 1e-6);
  EXPECT_NEAR(specimen.damping()(0, 0), 0.0, 1e-8);
  EXPECT_NEAR(specimen.mass()(0, 0), 8446.5 + 1028.0, 1e-8);
}

TEST(DynamicSpecimen, GoesOnFromASnapshotBitForBit) {
  DynamicSpecimen first(quarter_vehicle(vehicle()));
  first.prepare(kTick);
  for (int n = 0; n < 50; ++n) first.advance(one(1e-4 * n), one(0.1), one(0.0));
  SnapshotWriter writer;
  first.save(writer);
  DynamicSpecimen second(quarter_vehicle(vehicle()));
  second.prepare(kTick);
  SnapshotReader reader(writer.values());
  second.restore(reader);
  EXPECT_TRUE(reader.at_end());
  for (int n = 50; n < 100; ++n)
    ASSERT_EQ(first.advance(one(1e-4 * n), one(0.1), one(0.0))[0],
              second.advance(one(1e-4 * n), one(0.1), one(0.0))[0]);
}

}  // namespace
}  // namespace trestle::simulated::dynamic_specimen_test
