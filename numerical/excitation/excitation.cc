#include "numerical/excitation/excitation.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "core/base/setting_error.h"

namespace trestle::excitation {
namespace {

constexpr double kWholeStep = 1.0 - 1e-8;  // but for rounding

}  // namespace

std::int64_t step_count(double duration, double time_step) {
  // A duration that is a whole number of steps but for rounding has its last step.
  const double steps = duration / time_step;
  return static_cast<std::int64_t>(std::floor(steps * (1.0 + 1e-12) + 1e-9)) + 1;
}

void require_countable_steps(double duration, double time_step) {
  const double steps = duration / time_step;
  const bool none = steps < kWholeStep;
  if (!none && steps < static_cast<double>(kMostSteps)) return;
  char text[200];
  if (none)
    std::snprintf(text, sizeof text,
                  "the duration is %.4g s, less than one step of %.4g s. Lengthen it, or "
                  "shorten time_step",
                  duration, time_step);
  else
    std::snprintf(text, sizeof text,
                  "the duration is %.4g s, %.3g steps of %.4g s; a run has at most %lld "
                  "steps. Shorten it, or lengthen time_step",
                  duration, steps, time_step, static_cast<long long>(kMostSteps));
  throw SettingError("duration", text);
}

Excitation::Excitation(ExcitationParts parts) : parts_(std::move(parts)) {}

Excitation::Excitation(double time_step, std::int64_t steps, Eigen::VectorXd base_load,
                       std::vector<double> acceleration,
                       std::vector<MovingLoad> moving_loads)
    : parts_{.time_step = time_step,
             .steps = steps,
             .equations = static_cast<int>(base_load.size()),
             .motions = {},
             .moving_loads = std::move(moving_loads)} {
  parts_.motions.push_back({std::move(base_load), std::move(acceleration)});
}

bool Excitation::surely_equals(const Excitation& other) const noexcept {
  for (const ExcitationParts* parts : {&parts_, &other.parts_})
    if (!parts->moving_loads.empty() || !parts->loads.empty() ||
        parts->gravity.size() > 0 || !parts->supports.empty())
      return false;
  if (parts_.time_step != other.parts_.time_step || parts_.steps != other.parts_.steps ||
      parts_.motions.size() != other.parts_.motions.size())
    return false;
  for (std::size_t i = 0; i < parts_.motions.size(); ++i) {
    const BaseMotion& motion = parts_.motions[i];
    const BaseMotion& same = other.parts_.motions[i];
    if (motion.load.size() != same.load.size() || motion.load != same.load ||
        motion.acceleration != same.acceleration)
      return false;
  }
  return true;
}

void Excitation::load(std::int64_t step, Eigen::VectorXd& load) const noexcept {
  const auto at = static_cast<std::size_t>(step);
  bool written = false;
  for (const BaseMotion& motion : parts_.motions) {
    if (step < 0 || at >= motion.acceleration.size()) continue;
    if (written)
      load += motion.acceleration[at] * motion.load;
    else
      load = motion.acceleration[at] * motion.load;
    written = true;
  }
  if (!written) load.setZero();
  for (const TimedLoad& timed : parts_.loads)
    if (step >= 0 && at < timed.factors.size())
      structure::add_force(timed.forces, timed.factors[at], load);
  for (const MovingLoad& moving : parts_.moving_loads)
    moving.add(static_cast<double>(step) * parts_.time_step, load);
  if (parts_.gravity.size() > 0) load += parts_.gravity;
  for (const SupportMotion& support : parts_.supports) {
    const SupportState& state = state_of(support, step);
    load += state.displacement * support.by_displacement;
    load += state.velocity * support.by_velocity;
    load += state.acceleration * support.by_acceleration;
  }
}

const SupportState& Excitation::state_of(const SupportMotion& motion,
                                         std::int64_t step) noexcept {
  const auto last = static_cast<std::int64_t>(motion.states.size()) - 1;
  return motion.states[static_cast<std::size_t>(std::clamp<std::int64_t>(step, 0, last))];
}

void Excitation::support_motion(std::int64_t step, SupportDerivative derivative,
                                Eigen::VectorXd& motion) const noexcept {
  motion.setZero();
  for (const SupportMotion& support : parts_.supports) {
    const SupportState& state = state_of(support, step);
    const double value = derivative == SupportDerivative::kDisplacement ? state.displacement
                         : derivative == SupportDerivative::kVelocity   ? state.velocity
                                                                      : state.acceleration;
    for (const int row : support.rows)
      if (row < motion.size()) motion[row] += value;
  }
}

void Excitation::held_load(std::int64_t step, bool inertia,
                           Eigen::VectorXd& load) const noexcept {
  const auto at = static_cast<std::size_t>(step);
  load.setZero();
  for (const BaseMotion& motion : parts_.motions)
    if (inertia && step >= 0 && at < motion.acceleration.size() && motion.held.size() > 0)
      load += motion.acceleration[at] * motion.held;
  for (const TimedLoad& timed : parts_.loads)
    if (step >= 0 && at < timed.factors.size())
      structure::add_force(timed.held, timed.factors[at], load);
  if (parts_.held_gravity.size() > 0) load += parts_.held_gravity;
}

}  // namespace trestle::excitation
