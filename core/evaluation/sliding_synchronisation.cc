#include "core/evaluation/sliding_synchronisation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace trestle::evaluation {
namespace {

constexpr double kRounding = 1e-12;

}  // namespace

SlidingSynchronisation::SlidingSynchronisation(double period, double memory) noexcept
    : period_(period), forgetting_(std::exp(-period / memory)) {}

template <typename Each>
void SlidingSynchronisation::for_each(Sums& sums, Each each) {
  for (double* sum : {&sums.one, &sums.z, &sums.e, &sums.v, &sums.zz, &sums.ze, &sums.ee,
                      &sums.zv, &sums.ev, &sums.vv})
    each(*sum);
}

void SlidingSynchronisation::add(double wanted, double achieved) noexcept {
  if (samples_ >= 2.0) {
    const double z = last_wanted_;
    const double e = last_error_;
    const double v = (wanted - older_wanted_) / (2.0 * period_);
    for_each(sums_, [this](double& sum) { sum *= forgetting_; });
    sums_.one += 1.0;
    sums_.z += z;
    sums_.e += e;
    sums_.v += v;
    sums_.zz += z * z;
    sums_.ze += z * e;
    sums_.ee += e * e;
    sums_.zv += z * v;
    sums_.ev += e * v;
    sums_.vv += v * v;
  }
  older_wanted_ = last_wanted_;
  last_wanted_ = wanted;
  last_error_ = achieved - wanted;
  samples_ = std::min(samples_ + 1.0, 2.0);
}

Synchronisation SlidingSynchronisation::result() const noexcept {
  Synchronisation found;
  found.amplitude = 1.0;
  found.angle = 0.25 * std::numbers::pi;
  if (sums_.one == 0.0) return found;
  const double z0 = sums_.z / sums_.one;
  const double e0 = sums_.e / sums_.one;
  const double zz = sums_.zz - z0 * sums_.z;
  const double ze = sums_.ze - z0 * sums_.e;
  const double ee = std::max(0.0, sums_.ee - e0 * sums_.e);
  // The difference of equal numbers is their rounding.
  if (!(zz > kRounding * sums_.zz)) return found;
  const double xx = std::max(0.0, zz + 2.0 * ze + ee);
  const double zx = zz + ze;
  found.rms_relative = std::sqrt(ee / zz);
  found.amplitude = std::sqrt(xx / zz);
  const double largest = 0.5 * (zz + xx) + std::hypot(0.5 * (zz - xx), zx);
  found.axes = std::sqrt(std::max(0.0, zz * ee - ze * ze)) / largest;
  found.angle = 0.5 * std::atan2(2.0 * zx, zz - xx);
  const double zv = sums_.zv - z0 * sums_.v;
  const double xv = zv + sums_.ev - e0 * sums_.v;
  const double amplitude_part = sums_.vv * zx - zv * xv;
  if (amplitude_part != 0.0) found.delay = -(zz * xv - zv * zx) / amplitude_part;
  return found;
}

void SlidingSynchronisation::reset() noexcept {
  sums_ = {};
  samples_ = older_wanted_ = last_wanted_ = last_error_ = 0.0;
}

void SlidingSynchronisation::save(SnapshotWriter& snapshot) const {
  Sums sums = sums_;
  for_each(sums, [&](double& sum) { snapshot.add(sum); });
  for (const double value : {samples_, older_wanted_, last_wanted_, last_error_})
    snapshot.add(value);
}

void SlidingSynchronisation::restore(SnapshotReader& snapshot) {
  for_each(sums_, [&](double& sum) { sum = snapshot.next(); });
  for (double* value : {&samples_, &older_wanted_, &last_wanted_, &last_error_})
    *value = snapshot.next();
}

}  // namespace trestle::evaluation
