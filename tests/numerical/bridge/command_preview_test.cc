#include "numerical/bridge/command_preview.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/math/discretisation.h"

namespace trestle::bridge::preview_test {
namespace {

constexpr double kPeriod = 1.0 / 1024.0;

/// A second-order table of 8 Hz under held commands.
math::DiscreteStateSpace table() {
  const double w = 2.0 * std::numbers::pi * 8.0;
  math::StateSpace system;
  system.A.resize(2, 2);
  system.A << 0.0, 1.0, -w * w, -1.2 * w;
  system.B = Eigen::Vector2d(0.0, w * w);
  system.C = Eigen::RowVector2d(1.0, 0.0);
  system.D = Eigen::MatrixXd::Zero(1, 1);
  return math::discretise(system, kPeriod);
}

TEST(Preview, BringsTheTableWhereItShallBeOnTime) {
  std::vector<double> wanted(4096, 0.0);
  for (std::size_t k = 1024; k < 3072; ++k) {
    const double t = static_cast<double>(k) * kPeriod;
    const double window = std::pow(std::sin(std::numbers::pi * (t - 1.0) / 2.0), 2);
    wanted[k] = 1e-3 * window * (std::sin(40.0 * t) + 0.3 * std::cos(190.0 * t));
  }
  const math::DiscreteStateSpace plant = table();
  const TransferResponse response = [&](double omega) {
    return math::frequency_response(plant, std::polar(1.0, omega * kPeriod))(0, 0);
  };
  const std::vector<double> command = invert_transfer(wanted, kPeriod, response, 80.0);
  ASSERT_EQ(command.size(), wanted.size());
  Eigen::VectorXd x = Eigen::VectorXd::Zero(2);
  double error = 0.0;
  double size = 0.0;
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    error += std::pow(x[0] - wanted[k], 2);  // read before the command of the tick acts
    size += wanted[k] * wanted[k];
    x = plant.A * x + plant.B * command[k];
  }
  // What the window's corners have above the band.
  EXPECT_LT(std::sqrt(error / size), 1e-4);
}

TEST(Preview, InvertsNothingAboveTheBand) {
  std::vector<double> wanted(2048);
  for (std::size_t k = 0; k < wanted.size(); ++k)
    wanted[k] =
        std::sin(2.0 * std::numbers::pi * 200.0 * static_cast<double>(k) * kPeriod) *
        std::pow(std::sin(std::numbers::pi * static_cast<double>(k) / 2048.0), 2);
  const std::vector<double> command = invert_transfer(
      wanted, kPeriod, [](double) { return std::complex<double>(1e-6); }, 80.0);
  // A full inverse would be of the size of 1e6.
  for (const double value : command) EXPECT_LT(std::abs(value), 10.0);
}

}  // namespace
}  // namespace trestle::bridge::preview_test
