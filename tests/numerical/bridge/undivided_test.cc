#include <gtest/gtest.h>

#include <cmath>

#include "composition/numerical/bridge/bridge_factory.h"
#include "tests/numerical/bridge/railway_bridge.h"

namespace trestle::bridge::undivided_test {
namespace {

/// By an independent program: five sine modes per span with the vehicle's two masses as one
/// system of first order, classic Runge–Kutta with an eighth of the step, the entry to
/// every span an end of a step.
struct Stored {
  int step;
  double y;      ///< of the wheel [m]
  double force;  ///< beside the weight [N]
};

// 200 km/h, section 1, smooth.
constexpr double kSmoothPeakY = 1.9503059544e-04;
constexpr double kSmoothPeakForce = 6.54098015e+01;
constexpr Stored kSmooth[] = {
    {1100, -3.510230930e-05, -3.61982978e+01}, {1462, -1.141584032e-04, 5.98699240e+01},
    {1824, -1.375575227e-04, -3.79511058e+01}, {2186, -3.647922092e-06, 1.25792865e+01},
    {2548, -1.530373097e-04, -2.21711732e+01}, {2910, -8.343346120e-05, 4.05959926e+00},
    {3272, -6.171853565e-05, 2.80472501e+01},  {3634, -1.842709890e-04, -4.52760932e+01},
    {3996, -1.561809344e-06, 1.53492887e+01},  {4358, -1.484603943e-04, -3.06233000e+01},
    {4720, -1.067288107e-04, 1.61629735e+01},  {5082, -2.846486000e-05, -4.61917939e+00},
    {5444, 0.000000000e+00, -9.20453142e-01},  {5806, 0.000000000e+00, -1.55887406e+01},
    {6168, 0.000000000e+00, 4.35333302e+00},
};

// 300 km/h, section 1, German low-disturbance track.
constexpr double kRoughPeakY = 4.9798617889e-03;
constexpr double kRoughPeakForce = 5.53809405e+03;
constexpr Stored kRough[] = {
    {1100, -1.729232971e-03, -2.38551304e+03}, {1364, 2.980787139e-03, -2.46009955e+03},
    {1628, -1.182453082e-03, 6.45860159e+02},  {1892, -2.234840163e-05, -3.81939726e+03},
    {2156, 3.939265524e-03, 2.11546715e+02},   {2420, -9.645031079e-04, -1.33151270e+03},
    {2684, 8.338840809e-04, -2.36930577e+03},  {2948, 6.529050250e-04, -2.89575613e+03},
    {3212, -3.343851848e-04, -1.29347205e+03}, {3476, 3.916841754e-03, 1.28441853e+02},
    {3740, 2.619117819e-03, 2.02484486e+03},   {4004, -1.567539486e-05, -6.77554435e+02},
    {4268, 0.000000000e+00, -8.70547934e+01},  {4532, 0.000000000e+00, 1.38922052e+02},
    {4796, 0.000000000e+00, 1.53252232e+02},
};

class Passage {
 public:
  explicit Passage(const config::Test& test, composition::BridgeSolution solution =
                                                 composition::BridgeSolution::kUndivided)
      : bridge_(composition::make_bridge(test, solution, {}, nullptr)),
        row_(bridge_->channels().size()) {
    bridge_->prepare();
    bridge_->correct(-1, {});
  }

  void to(std::int64_t step) {
    for (; next_ <= step; ++next_) {
      bridge_->predict(next_, {});
      ASSERT_TRUE(bridge_->correct(next_, {}));
    }
    bridge_->record(row_);
  }
  double value(const std::string& channel) const {
    for (std::size_t i = 0; i < row_.size(); ++i)
      if (bridge_->channels()[i].name == channel) return row_[i];
    ADD_FAILURE() << "no channel " << channel;
    return 0.0;
  }
  std::int64_t steps() const { return bridge_->steps(); }

 private:
  std::unique_ptr<NumericalSubstructure> bridge_;
  std::vector<double> row_;
  std::int64_t next_ = 0;
};

template <std::size_t count>
void expect_stored(const config::Test& test, const Stored (&stored)[count], double peak_y,
                   double peak_force) {
  Passage run(test);
  for (const Stored& at : stored) {
    run.to(at.step);
    // The bar is 5e-4 of the peak.
    EXPECT_NEAR(run.value("wheel.y.disp_m"), at.y, 1e-4 * peak_y) << at.step;
    EXPECT_NEAR(run.value("wheel.y.force_N"), at.force, 5e-4 * peak_force) << at.step;
  }
}

TEST(UndividedBridge, AgreesWithTheStoredSolutionOfASmoothTrack) {
  const config::Test test = testing::railway_bridge(200.0);
  EXPECT_EQ(Passage(test).steps(), 6177);
  expect_stored(test, kSmooth, kSmoothPeakY, kSmoothPeakForce);
}

TEST(UndividedBridge, AgreesWithTheStoredSolutionOfAnIrregularTrack) {
  config::Test test = testing::railway_bridge(300.0);
  test.mutable_numerical()->mutable_bridge()->mutable_track()->mutable_german();
  expect_stored(test, kRough, kRoughPeakY, kRoughPeakForce);
}

// 12 elements per span with all their modes against five sine modes: what the modes above
// the fifth deflect statically, under a quarter vehicle 7e-4 of the peak.
TEST(UndividedBridge, OfElementsGoesAsThatOfSines) {
  config::Test test = testing::railway_bridge(300.0);
  test.mutable_numerical()->mutable_bridge()->set_lead_out(0.0);
  Passage sines(test);
  test.mutable_numerical()->mutable_bridge()->mutable_finite_elements();
  Passage elements(test);
  for (int k = 1050; k < sines.steps(); k += 97) {
    sines.to(k);
    elements.to(k);
    EXPECT_NEAR(elements.value("span4.y.disp_m"), sines.value("span4.y.disp_m"), 2e-7);
    EXPECT_NEAR(elements.value("wheel.y.disp_m"), sines.value("wheel.y.disp_m"), 4e-7);
  }
}

// With a wheel that has inertia the two are integrated by Newmark's average acceleration,
// which leaves (ω h)²/12 of every mode; here of the fifth that is 1.4e-3.
TEST(UndividedBridge, BearsTheInertiaOfAHeavyWheel) {
  config::Test test = testing::railway_bridge(300.0);
  config::QuarterVehicle& vehicle =
      *test.mutable_sites(0)->mutable_rig()->mutable_specimen()->mutable_quarter_vehicle();
  Passage light(test);
  vehicle.set_wheel_inertia(true);
  Passage heavy(test);
  vehicle.set_wheel_mass(400e3);  // more than a span's modal mass
  Passage absurd(test);
  for (int k = 1100; k < light.steps(); k += 101) {
    light.to(k);
    heavy.to(k);
    absurd.to(k);
    EXPECT_NEAR(heavy.value("wheel.y.disp_m"), light.value("wheel.y.disp_m"), 3e-6);
    EXPECT_LT(std::abs(absurd.value("wheel.y.disp_m")), 2e-3);
  }
}

// One vehicle twice, computed here and standing in a laboratory: the same numbers.
TEST(UndividedBridge, OfAComputedVehicleIsTheSame) {
  config::Test test = testing::railway_bridge(300.0);
  Passage physical(test);
  config::BridgeVehicle& train =
      *test.mutable_numerical()->mutable_bridge()->mutable_vehicles(0);
  *train.mutable_quarter_vehicle() = test.sites(0).rig().specimen().quarter_vehicle();
  test.clear_sites();
  Passage computed(test, composition::BridgeSolution::kHybrid);
  for (int k = 1100; k < 4000; k += 501) {
    physical.to(k);
    computed.to(k);
    EXPECT_EQ(computed.value("train_wheel.y.force_N"), physical.value("wheel.y.force_N"));
  }
}

// A body on two axles as a multi-body vehicle against two quarters of half its mass: on
// equal motion of both axles they are the same, and a body without rotational inertia on a
// bridge pitches only.
TEST(UndividedBridge, StandsUnderTwoAxles) {
  config::Test test = testing::railway_bridge(300.0);
  test.clear_sites();
  test.mutable_numerical()->mutable_bridge()->clear_vehicles();
  ASSERT_TRUE(google::protobuf::TextFormat::MergeFromString(R"(
    numerical { bridge { vehicles { name: "car" multi_body {
      dofs: "rear" dofs: "body" dofs: "pitch" dofs: "front"
      mass { rows { values: [0, 0, 0, 0] } rows { values: [0, 17000, 0, 0] }
             rows { values: [0, 0, 340000, 0] } rows { values: [0, 0, 0, 0] } }
      stiffness { rows { values: [5e5, -5e5, 3e6, 0] } rows { values: [-5e5, 1e6, 0, -5e5] }
                  rows { values: [3e6, 0, 3.6e7, -3e6] } rows { values: [0, -5e5, -3e6, 5e5] } }
      contacts { dof: "front" weight: 90000 }
      contacts { dof: "rear" behind: 12 weight: 80000 } } } } })",
                                                            &test));
  composition::BridgeReport report;
  composition::make_bridge(test, composition::BridgeSolution::kHybrid, {}, &report);
  EXPECT_EQ(report.wheels, 2);
  EXPECT_EQ(report.total_weight, 170000.0);
  EXPECT_EQ(report.length, 12.0);
  Passage run(test, composition::BridgeSolution::kHybrid);
  double most = 0.0;
  for (int k = 1024; k < run.steps(); k += 7) {
    run.to(k);
    most = std::max(most, -run.value("span4.y.disp_m"));
    // The springs' forces are what lifts the body.
    EXPECT_NEAR(run.value("car_front.y.force_N") + run.value("car_rear.y.force_N"),
                17000.0 * run.value("car_body.y.acc_m_s2"), 1e-3);
  }
  // Statically 90 kN at midspan and 80 kN 12 m behind; a little more as they move.
  const double front = 90e3 * std::pow(32.0, 3) / (48.0 * 4.07583e11);
  EXPECT_GT(most, 1.3 * front);
  EXPECT_LT(most, 2.0 * front);
}

}  // namespace
}  // namespace trestle::bridge::undivided_test
