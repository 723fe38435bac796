#include "numerical/bridge/linear_vehicle.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

namespace trestle::bridge::linear_vehicle_test {
namespace {

using Complex = std::complex<double>;

/// Wheel, bogie, body of the published quarter vehicle.
LinearVehicleSettings quarter(double wheel_mass) {
  LinearVehicleSettings settings;
  settings.contacts = 1;
  settings.mass = Eigen::Vector3d(wheel_mass, 1028.0, 8446.5).asDiagonal();
  settings.stiffness.resize(3, 3);
  settings.stiffness << 1772e3, -1772e3, 0, -1772e3, 1997e3, -225e3, 0, -225e3, 225e3;
  settings.damping.resize(3, 3);
  settings.damping << 20e3, -20e3, 0, -20e3, 30e3, -10e3, 0, -10e3, 10e3;
  return settings;
}

/// Force over displacement of the wheel.
Complex dynamic_stiffness(const LinearVehicleSettings& v, double omega) {
  const Complex s(0.0, omega);
  const auto at = [&](int i, int j) {
    return v.stiffness(i, j) + s * v.damping(i, j) + s * s * v.mass(i, j);
  };
  const Complex det = at(1, 1) * at(2, 2) - at(1, 2) * at(2, 1);
  return at(0, 0) - at(0, 1) * at(1, 0) * at(2, 2) / det;
}

ContactMotion sine(double omega, double t) {
  return Eigen::Vector3d(std::sin(omega * t), omega * std::cos(omega * t),
                         -omega * omega * std::sin(omega * t));
}

// A line through the motion at both ends leaves (ω h)²/12 of it, near the own frequencies
// some times as much.
TEST(LinearVehicle, AnswersAnOscillatingTrackWithItsDynamicStiffness) {
  const double h = 1.0 / 4096.0;
  for (const double wheel : {0.0, 1267.0})
    for (const double omega : {5.0, 42.0, 120.0}) {
      LinearVehicle vehicle(quarter(wheel), h);
      vehicle.reset(Eigen::Vector3d(0.0, 0.0, 0.0));
      const Complex Z = dynamic_stiffness(quarter(wheel), omega);
      double worst = 0.0;
      for (int k = 1; k <= 120000; ++k) {
        vehicle.begin();
        const ContactMotion u = sine(omega, k * h);
        const double ahead =
            vehicle.free_force()[0] + vehicle.force_jacobian().row(0).dot(u);
        vehicle.end(u);
        ASSERT_NEAR(vehicle.force()[0], ahead, 1e-9 * std::abs(Z));
        if (k > 110000)
          worst = std::max(worst, std::abs(vehicle.force()[0] -
                                           (Z * std::polar(1.0, omega * k * h)).imag()));
      }
      EXPECT_LT(worst, 3e-4 * std::abs(Z)) << omega;
    }
}

TEST(LinearVehicle, ForceIsTheInertiaOfAllThatMoves) {
  const double h = 1.0 / 1024.0;
  LinearVehicle vehicle(quarter(0.0), h);
  vehicle.reset(Eigen::Vector3d(0.0, 0.0, 0.0));
  for (int k = 1; k <= 300; ++k) {
    vehicle.begin();
    vehicle.end(sine(30.0, k * h));
    const double inertia =
        1028.0 * vehicle.acceleration()[0] + 8446.5 * vehicle.acceleration()[1];
    EXPECT_NEAR(vehicle.force()[0], inertia, 1e-9 * 2e6);
  }
}

// An upward acceleration of a bare mass presses down: f = +M y''.
TEST(LinearVehicle, BareMassPressesWhereItIsLifted) {
  LinearVehicleSettings settings;
  settings.contacts = 1;
  settings.mass = Eigen::MatrixXd::Constant(1, 1, 1267.0);
  settings.stiffness = settings.damping = Eigen::MatrixXd::Zero(1, 1);
  LinearVehicle mass(settings, 0.001);
  mass.begin();
  mass.end(Eigen::Vector3d(0.0, 0.0, 2.0));
  EXPECT_EQ(mass.force()[0], 2534.0);
  EXPECT_EQ(mass.free_dofs(), 0);
}

TEST(LinearVehicle, BeginsAtRestOnARaisedTrack) {
  LinearVehicle vehicle(quarter(0.0), 0.001);
  vehicle.reset(Eigen::Vector3d(0.01, 0.0, 0.0));
  for (int k = 0; k < 50; ++k) {
    vehicle.begin();
    vehicle.end(Eigen::Vector3d(0.01, 0.0, 0.0));
    EXPECT_NEAR(vehicle.force()[0], 0.0, 1e-8);
    EXPECT_NEAR(vehicle.state()[1], 0.01, 1e-12);
  }
}

}  // namespace
}  // namespace trestle::bridge::linear_vehicle_test
