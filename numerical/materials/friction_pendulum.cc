#include "numerical/materials/friction_pendulum.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/setting_checks.h"
#include "core/base/setting_error.h"

namespace trestle::materials {
namespace {

constexpr int kSubstitutions = 40;  // each shrinks the error by about μ·u/R
constexpr double kMostOfRadius = 0.99;

}  // namespace

FrictionPendulum::FrictionPendulum(const FrictionPendulumSettings& settings)
    : settings_(settings) {
  require_above_zero(settings.radius, "radius");
  require_above_zero(settings.friction, "friction");
  require_above_zero(settings.stiffness, "stiffness");
  require_above_zero(settings.weight, "weight");
  const double swinging = settings.weight / settings.radius;
  if (!(settings.stiffness > swinging))
    throw SettingError("stiffness", "is " + in_words(settings.stiffness) +
                                        " N/m; must be above weight / radius, " +
                                        in_words(swinging) + " N/m");
}

FrictionPendulum::Sliding FrictionPendulum::at(const Pair& displacement, double weight,
                                               const Pair& radius) const noexcept {
  Sliding result;
  Pair elastic{};
  for (std::size_t i = 0; i < 2; ++i) {
    result.stiffness[i] = settings_.stiffness - weight / radius[i];
    elastic[i] = result.stiffness[i] * (displacement[i] - plastic_[i]);
  }
  const double size = std::hypot(elastic[0], elastic[1]);
  const double limit = settings_.friction * weight;
  const double part = size > limit ? limit / size : 1.0;
  for (std::size_t i = 0; i < 2; ++i) {
    result.hysteretic[i] = part * elastic[i];
    result.force[i] = weight / radius[i] * displacement[i] + result.hysteretic[i];
  }
  return result;
}

FrictionPendulum::Sliding FrictionPendulum::at(const Pair& displacement) const noexcept {
  const double R = settings_.radius;
  if (settings_.geometry == PendulumGeometry::kPlain)
    return at(displacement, settings_.weight, {R, R});
  const auto radius_beside = [R](double u) {
    const double most = kMostOfRadius * R;
    const double off = std::isfinite(u) ? std::clamp(u, -most, most) : u;
    return std::sqrt(R * R - off * off);
  };
  const Pair radius{radius_beside(displacement[1]), radius_beside(displacement[0])};
  double weight = settings_.weight;
  Sliding result = at(displacement, weight, radius);
  for (int i = 0; i < kSubstitutions; ++i) {
    const double next = settings_.weight + result.force[0] * displacement[0] / radius[0] +
                        result.force[1] * displacement[1] / radius[1];
    if (next == weight) break;
    weight = next;
    result = at(displacement, weight, radius);
  }
  return result;
}

FrictionPendulum::Response FrictionPendulum::trial(const Pair& displacement) noexcept {
  const Sliding here = at(displacement);
  Response response{.force = here.force, .stiffness = {}};
  for (std::size_t i = 0; i < 2; ++i)
    trial_plastic_[i] = displacement[i] - here.hysteretic[i] / here.stiffness[i];
  if (settings_.geometry == PendulumGeometry::kExact) {
    // Differences of the exact force: the tangent is for Newton's steps alone.
    const double h = 1e-7 * settings_.radius;
    for (std::size_t j = 0; j < 2; ++j) {
      Pair more = displacement;
      Pair less = displacement;
      more[j] += h;
      less[j] -= h;
      const Sliding after = at(more);
      const Sliding before = at(less);
      for (std::size_t i = 0; i < 2; ++i)
        response.stiffness[i][j] = (after.force[i] - before.force[i]) / (2.0 * h);
    }
    return response;
  }
  const double swinging = settings_.weight / settings_.radius;
  const double k = here.stiffness[0];
  const Pair elastic{k * (displacement[0] - plastic_[0]),
                     k * (displacement[1] - plastic_[1])};
  const double size = std::hypot(elastic[0], elastic[1]);
  const double limit = settings_.friction * settings_.weight;
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j) {
      const double own = i == j ? 1.0 : 0.0;
      response.stiffness[i][j] =
          swinging * own +
          (size > limit ? k * limit / size * (own - elastic[i] * elastic[j] / (size * size))
                        : k * own);
    }
  return response;
}

PendulumDirection::PendulumDirection(std::shared_ptr<FrictionPendulum> pendulum,
                                     std::shared_ptr<FrictionPendulum::Pair> displacements,
                                     std::size_t direction)
    : pendulum_(std::move(pendulum)),
      displacements_(std::move(displacements)),
      direction_(direction) {}

LawResponse PendulumDirection::trial(double displacement, double /*velocity*/) noexcept {
  (*displacements_)[direction_] = displacement;
  const FrictionPendulum::Response both = pendulum_->trial(*displacements_);
  return {.force = both.force[direction_],
          .stiffness = both.stiffness[direction_][direction_],
          .damping = 0.0,
          .beside = both.stiffness[direction_][1 - direction_]};
}

void PendulumDirection::reset() noexcept {
  pendulum_->reset();
  *displacements_ = {};
}

void PendulumDirection::save(SnapshotWriter& snapshot) const {
  if (direction_ == 0) pendulum_->save(snapshot);
}

void PendulumDirection::restore(SnapshotReader& snapshot) {
  if (direction_ == 0) pendulum_->restore(snapshot);
}

}  // namespace trestle::materials
