#include "site-servers/safety/energy_error_monitor.h"

#include <algorithm>
#include <cmath>

#include "core/base/limit_check.h"

namespace trestle::safety {
namespace {

constexpr double kMemory = 2.0;  // [s]

}  // namespace

EnergyErrorMonitor::EnergyErrorMonitor(const RigLimits& limits, double tick)
    : forgetting_(std::exp(-tick / kMemory)) {
  for (const ActuatorLimits& limit : limits) {
    require_positive(limit.energy_error, axes_.size(), "energy_error");
    axes_.push_back({.limit = limit.energy_error});
    watched_ = watched_ || limit.energy_error < ActuatorLimits::kNone;
  }
}

void EnergyErrorMonitor::reset() noexcept {
  started_ = false;
  for (Axis& axis : axes_) axis = {.limit = axis.limit};
}

Fault EnergyErrorMonitor::add(const ActuatorVector& target, const ActuatorVector& measured,
                              const ActuatorVector& force) noexcept {
  if (!watched_) return {};
  Fault fault;
  for (Eigen::Index i = 0; i < target.size(); ++i) {
    Axis& axis = axes_[static_cast<std::size_t>(i)];
    const double error = measured[i] - target[i];
    if (started_) {
      const double fed = 0.5 * (error + axis.last_error) * (force[i] - axis.last_force);
      const double work =
          0.5 * (force[i] + axis.last_force) * (measured[i] - axis.last_measured);
      axis.fed = forgetting_ * axis.fed + fed;
      axis.turned = forgetting_ * axis.turned + std::abs(work);
    }
    axis.stored = std::max(axis.stored, 0.5 * std::abs(force[i] * measured[i]));
    axis.last_error = error;
    axis.last_measured = measured[i];
    axis.last_force = force[i];
    const double found = this->error(i);
    if (found > axis.limit && !fault)
      fault = {FaultKind::kEnergyError, static_cast<int>(i), found, axis.limit};
  }
  started_ = true;
  return fault;
}

double EnergyErrorMonitor::error(Eigen::Index actuator) const noexcept {
  const Axis& axis = axes_[static_cast<std::size_t>(actuator)];
  const double scale = axis.stored + axis.turned;
  return scale > 0.0 ? std::max(-axis.fed, 0.0) / scale : 0.0;
}

template <typename Self, typename Archive>
void EnergyErrorMonitor::visit(Self& self, Archive& archive) {
  archive(self.started_);
  for (auto& axis : self.axes_) {
    archive(axis.fed, axis.turned, axis.stored, axis.last_error, axis.last_measured,
            axis.last_force);
  }
}

void EnergyErrorMonitor::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void EnergyErrorMonitor::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::safety
