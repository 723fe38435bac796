#include "studies/controller_design/hinf_norm.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "core/base/setting_error.h"
#include "core/math/dense_eigenvalues.h"
#include "core/math/dense_solve.h"

namespace trestle::controller_design {
namespace {

using Eigen::MatrixXd;

constexpr double kImaginary = 1e-8;  // |Re λ| over the largest |λ|
constexpr int kMostLevels = 100;

double largest_gain(const Eigen::MatrixXcd& response) {
  if (response.size() == 0) return 0.0;
  return math::singular_values(response).maxCoeff();
}

double gain_at(const math::StateSpace& system, double frequency) {
  return largest_gain(math::frequency_response(system, {0.0, frequency}));
}

/// The frequencies > 0 at which a singular value of the system may equal the level.
std::vector<double> crossings(const math::StateSpace& system, double level) {
  const auto& [A, B, C, D] = system;
  const MatrixXd R =
      level * level * MatrixXd::Identity(D.cols(), D.cols()) - D.transpose() * D;
  const MatrixXd F = A + B * math::solved(R, D.transpose() * C);
  const MatrixXd across = D * math::solved(R, D.transpose());
  MatrixXd hamiltonian(2 * A.rows(), 2 * A.rows());
  hamiltonian << F, B * math::solved(R, B.transpose()),
      -C.transpose() * (MatrixXd::Identity(D.rows(), D.rows()) + across) * C,
      -F.transpose();
  const Eigen::VectorXcd modes = math::eigenvalues(hamiltonian);
  const double largest = modes.cwiseAbs().maxCoeff();
  std::vector<double> found;
  for (const auto& mode : modes)
    if (mode.imag() >= 0.0 && std::abs(mode.real()) <= kImaginary * largest)
      found.push_back(mode.imag());
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

PeakGain hinf_norm(const math::StateSpace& given, double tolerance) {
  const math::StateSpace system = math::balanced(given);
  PeakGain peak{largest_gain(system.D.cast<std::complex<double>>()),
                std::numeric_limits<double>::infinity()};
  if (system.states() == 0) return peak;
  const Eigen::VectorXcd poles = math::eigenvalues(system.A);
  if (!(poles.real().array() < 0.0).all())
    throw SettingError("system", "is not stable; it has no H-infinity norm");
  const auto consider = [&](double frequency) {
    const double gain = gain_at(system, frequency);
    if (gain > peak.gain) peak = {gain, frequency};
  };
  consider(0.0);
  for (const auto& pole : poles) consider(std::abs(pole));
  for (int level = 0; level < kMostLevels && peak.gain > 0.0; ++level) {
    const std::vector<double> at = crossings(system, (1.0 + tolerance) * peak.gain);
    if (at.empty()) break;
    const double before = peak.gain;
    for (std::size_t i = 0; i < at.size(); ++i) {
      consider(at[i]);
      if (i + 1 < at.size()) consider(0.5 * (at[i] + at[i + 1]));
    }
    consider(0.5 * at.front());
    consider(2.0 * at.back());
    if (peak.gain <= before) break;  // eigenvalues near the axis, and not on it
  }
  return peak;
}

}  // namespace trestle::controller_design
