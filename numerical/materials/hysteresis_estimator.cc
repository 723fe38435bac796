#include "numerical/materials/hysteresis_estimator.h"

#include <algorithm>
#include <cmath>

#include "core/base/setting_checks.h"
#include "numerical/materials/bilinear_law.h"

namespace trestle::materials {
namespace {

constexpr double kMostPartsOfPoint = 64.0;
constexpr double kPartsOfUltimate = 8.0;  // parts of a way of z_u, times n

/// L of A = L·Lᵀ, the columns zero where nothing is uncertain.
template <typename Matrix>
Matrix root_of(const Matrix& A) noexcept {
  Matrix L = Matrix::Zero();
  for (Eigen::Index j = 0; j < A.cols(); ++j) {
    const double pivot = A(j, j) - L.row(j).head(j).squaredNorm();
    if (!(pivot > 0.0)) continue;
    L(j, j) = std::sqrt(pivot);
    for (Eigen::Index i = j + 1; i < A.rows(); ++i)
      L(i, j) = (A(i, j) - L.row(i).head(j).dot(L.row(j).head(j))) / L(j, j);
  }
  return L;
}

/// @throws SettingError  as the law itself
void check_law(const HysteresisEstimatorSettings& settings) {
  const BoucWenLawSettings& law = settings.law;
  if (settings.bilinear) {
    const BilinearLaw checked({.stiffness = law.stiffness,
                               .yield_force = law.yield_force,
                               .hardening = law.hardening});
  } else {
    const BoucWenLaw checked(law);
  }
}

}  // namespace

HysteresisEstimator::HysteresisEstimator(const HysteresisEstimatorSettings& settings)
    : settings_(settings) {
  check_law(settings);
  require_above_zero(settings.time_step, "time_step");
  require_above_zero(settings.force_noise, "force_noise");
  require_at_least(settings.displacement_noise, 0.0, "displacement_noise");
  require_above_zero(settings.lowest, "lowest");
  require(settings.lowest <= 1.0, "lowest", settings.lowest, "must be at most 1");
  require_at_least(settings.highest, 1.0, "highest");
  require_at_least(settings.drift, 0.0, "drift");
  const char* const names[] = {"spread.stiffness", "spread.yield_force",
                               "spread.hardening"};
  for (std::size_t i = 0; i < kNumbers; ++i)
    require_at_least(settings.spread[i], 0.0, names[i]);
  require(settings.spread[2] == 0.0 || settings.law.hardening > 0.0, names[2],
          settings.spread[2],
          "must be 0 where the law has no hardening: a factor cannot change that");
  const double sum = settings.law.beta + settings.law.gamma;
  stretch_ = settings.law.yield_force / settings.law.stiffness;
  if (!settings.bilinear) stretch_ *= std::pow(sum, -1.0 / settings.law.n);
  force_ = settings.law.stiffness * stretch_;
  unloading_ = (settings.law.gamma - settings.law.beta) / sum;
  highest_.fill(std::log(settings.highest));
  if (settings.law.hardening > 0.0)
    highest_[2] = std::min(
        highest_[2], std::max(0.0, std::log(kHighestHardening / settings.law.hardening)));
  reset();
}

void HysteresisEstimator::reset() noexcept {
  x_.setZero();
  P_.setZero();
  for (int i = 0; i < kNumbers; ++i)
    P_(i, i) = std::pow(settings_.spread[static_cast<std::size_t>(i)], 2);
  displacement_ = 0.0;
  innovation_ = 0.0;
}

double HysteresisEstimator::hardening_of(const State& x) const noexcept {
  return std::min(kHighestHardening, settings_.law.hardening * std::exp(x[2]));
}

/// z/z_u₀ behind an increment of d/z_u₀: dr/ds = 1 − (β·sgn + γ)/(β + γ)·|r|ⁿ along it, r =
/// z/z_u.
double HysteresisEstimator::moved(const State& x, double increment) const noexcept {
  const double ultimate = std::exp(x[1] - x[0]);  // z_u/z_u₀
  const double sign = increment < 0.0 ? -1.0 : 1.0;
  double r = std::clamp(sign * x[3] / ultimate, -1.0, 1.0);
  const double way = std::abs(increment) / ultimate;
  if (settings_.bilinear) return sign * std::min(1.0, r + way) * ultimate;
  if (way > 2.0 + 40.0 / settings_.law.n) return sign * ultimate;  // beyond every knee
  const double parts = std::clamp(std::ceil(way * settings_.law.n * kPartsOfUltimate), 1.0,
                                  kMostPartsOfPoint);
  const double part = way / parts;
  const auto slope = [&](double at) {
    return 1.0 - (at < 0.0 ? unloading_ : 1.0) * std::pow(std::abs(at), settings_.law.n);
  };
  for (int i = 0; i < static_cast<int>(parts); ++i) {
    const double a = slope(r);
    const double b = slope(r + 0.5 * part * a);
    const double c = slope(r + 0.5 * part * b);
    const double d = slope(r + part * c);
    r = std::clamp(r + part / 6.0 * (a + 2.0 * (b + c) + d), -1.0, 1.0);
  }
  return sign * r * ultimate;
}

/// f/(k₀·z_u₀)
double HysteresisEstimator::expected(const State& x, double displacement) const noexcept {
  const double hardening = hardening_of(x);
  return std::exp(x[0]) * (hardening * displacement + (1.0 - hardening) * x[3]);
}

void HysteresisEstimator::observe(double displacement, double force) noexcept {
  if (!std::isfinite(displacement) || !std::isfinite(force)) return;
  const double d = displacement / stretch_;
  const double increment = d - displacement_;
  displacement_ = d;
  const Covariance root = root_of(P_);
  const double reach = std::sqrt(static_cast<double>(kStates));
  std::array<State, 2 * kStates> points;
  std::array<double, 2 * kStates> forces{};
  State mean = State::Zero();
  double force_mean = 0.0;
  for (int j = 0; j < kStates; ++j)
    for (int side = 0; side < 2; ++side) {
      const auto at = static_cast<std::size_t>(2 * j + side);
      State& x = points[at];
      x = x_ + (side == 0 ? reach : -reach) * root.col(j);
      x[3] = moved(x, increment);
      forces[at] = expected(x, d);
      mean += x;
      force_mean += forces[at];
    }
  mean /= 2.0 * kStates;
  force_mean /= 2.0 * kStates;
  Covariance spread = Covariance::Zero();
  State cross = State::Zero();
  double variance = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const State apart = points[i] - mean;
    const double force_apart = forces[i] - force_mean;
    spread += apart * apart.transpose();
    cross += force_apart * apart;
    variance += force_apart * force_apart;
  }
  P_ = spread / (2.0 * kStates);
  cross /= 2.0 * kStates;
  for (int i = 0; i < kNumbers; ++i)
    if (settings_.spread[static_cast<std::size_t>(i)] > 0.0)
      P_(i, i) += settings_.drift * settings_.drift * settings_.time_step;
  const double noise = settings_.force_noise / force_;
  const double of_displacement =
      std::exp(mean[0]) * settings_.displacement_noise / stretch_;
  variance = variance / (2.0 * kStates) + noise * noise + of_displacement * of_displacement;
  const State gain = cross / variance;
  const double error = force / force_ - force_mean;
  innovation_ = force_ * error;
  x_ = mean + error * gain;
  P_ -= variance * gain * gain.transpose();
  P_ = (0.5 * (P_ + P_.transpose())).eval();
  hold_in_bounds();
}

void HysteresisEstimator::hold_in_bounds() noexcept {
  const double lowest = std::log(settings_.lowest);
  for (int i = 0; i < kNumbers; ++i)
    x_[i] = std::clamp(x_[i], lowest, highest_[static_cast<std::size_t>(i)]);
  const double ultimate = std::exp(x_[1] - x_[0]);
  x_[3] = std::clamp(x_[3], -ultimate, ultimate);
}

LawFactors HysteresisEstimator::factors() const noexcept {
  return {std::exp(x_[0]), std::exp(x_[1]), std::exp(x_[2])};
}

double HysteresisEstimator::deviation(int number) const noexcept {
  return std::sqrt(std::max(0.0, P_(number, number)));
}

double HysteresisEstimator::correlation(int one, int other) const noexcept {
  const double both = deviation(one) * deviation(other);
  return both > 0.0 ? P_(one, other) / both : 0.0;
}

template <typename Self, typename Archive>
void HysteresisEstimator::visit(Self& self, Archive& archive) {
  archive(self.x_, self.P_, self.displacement_, self.innovation_);
}

void HysteresisEstimator::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void HysteresisEstimator::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::materials
