#include "numerical/bridge/loop_gain.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "core/math/dense_solve.h"

namespace trestle::bridge {
namespace {

using Complex = std::complex<double>;

constexpr double kWholeTurn = 2.0 * std::numbers::pi;
constexpr double kLowest = 0.05;  // [Hz]
constexpr int kPoints = 1500;     // over a logarithmic axis, besides the modes themselves

/// Largest row sum of what the contacts feel.
double dynamic_stiffness(const LinearVehicleSettings& vehicle, double omega) {
  const Eigen::Index c = vehicle.contacts;
  const Eigen::Index n = vehicle.mass.rows() - c;
  const Complex s(0.0, omega);
  const Eigen::MatrixXcd whole = vehicle.stiffness.cast<Complex>() +
                                 s * vehicle.damping.cast<Complex>() +
                                 s * s * vehicle.mass.cast<Complex>();
  Eigen::MatrixXcd felt = whole.topLeftCorner(c, c);
  if (n > 0)
    felt -= whole.topRightCorner(c, n) * math::solve_complex(whole.bottomRightCorner(n, n),
                                                             whole.bottomLeftCorner(n, c));
  return felt.cwiseAbs().rowwise().sum().maxCoeff();
}

}  // namespace

ContactLoopGain loop_gain(const BridgeModes& modes, const Eigen::VectorXd& damping,
                          double x, const std::vector<LinearVehicleSettings>& vehicles,
                          double highest) {
  ShapeValues shapes = modes.shapes->room();
  modes.shapes->at(x, shapes);
  std::vector<double> frequencies;
  for (int i = 0; i <= kPoints; ++i)
    frequencies.push_back(kLowest *
                          std::pow(highest / kLowest, static_cast<double>(i) / kPoints));
  for (Eigen::Index i = 0; i < shapes.count; ++i)
    frequencies.push_back(
        std::min(highest, modes.frequency[shapes.first + i] / kWholeTurn));
  ContactLoopGain largest;
  for (const double frequency : frequencies) {
    const double omega = kWholeTurn * frequency;
    Complex deflection = 0.0;
    for (Eigen::Index i = 0; i < shapes.count; ++i) {
      const double own = modes.frequency[shapes.first + i];
      deflection +=
          shapes.value[i] * shapes.value[i] /
          Complex(own * own - omega * omega, 2.0 * damping[shapes.first + i] * own * omega);
    }
    double stiffness = 0.0;
    for (const LinearVehicleSettings& vehicle : vehicles)
      stiffness += dynamic_stiffness(vehicle, omega);
    const double gain = std::abs(deflection) * stiffness;
    if (gain > largest.gain) largest = {gain, frequency};
  }
  return largest;
}

}  // namespace trestle::bridge
