#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "core/types/actuator_vector.h"
#include "core/types/limits.h"
#include "site-servers/safety/energy_error_monitor.h"

namespace trestle::live {

/// The limits of ActuatorLimits, in the order of screens and reports.
enum class LimitKind {
  kDisplacement,
  kRate,
  kAcceleration,
  kForce,
  kTrackingError,
  kEnergyError
};
inline constexpr std::size_t kLimitKinds = 6;

/// "displacement", "rate", "acceleration", "force", "tracking error", "energy error".
const char* name(LimitKind kind) noexcept;

/// A quantity beside its limit; both are magnitudes, in the limit's unit.
struct UsedLimit {
  double value = 0.0;
  double limit = ActuatorLimits::kNone;

  /// 0 if no limit is set.
  double ratio() const noexcept {
    return limit < ActuatorLimits::kNone ? value / limit : 0.0;
  }
};

/// Computes how much of each limit the actuators of a site use, from recorded rows, with
/// the formulas of SafetyGate and with EnergyErrorMonitor. For observers: it judges
/// nothing.
///
/// If rows are further apart than control ticks, rate, acceleration and energy error are
/// lower bounds: the largest value lies between two rows.
class LimitUsage {
 public:
  using Uses = std::array<UsedLimit, kLimitKinds>;

  /// One row: the drive of a tick or step, and the measurement that it led to.
  struct Row {
    ActuatorVector target;    ///< [m | rad]
    ActuatorVector drive;     ///< [m | rad]
    ActuatorVector measured;  ///< [m | rad]
    ActuatorVector force;     ///< [N | N·m]
  };

  /// @param limits  one per actuator
  /// @param period  of the rows [s], > 0
  /// @throws SettingError  if a limit is not above zero
  LimitUsage(const RigLimits& limits, double period);

  /// The next row. A row with a value that is not finite is passed over: rate and
  /// acceleration begin again behind it.
  void add(const Row& row);
  /// A row is missing: rate, acceleration and energy error begin again.
  void interrupt() noexcept;

  std::size_t actuators() const noexcept { return axes_.size(); }
  /// Of the last row.
  const Uses& now(std::size_t actuator) const noexcept { return axes_[actuator].now; }
  /// The highest of each kind since the last clear_highest().
  const Uses& highest(std::size_t actuator) const noexcept {
    return axes_[actuator].highest;
  }
  void clear_highest() noexcept;

 private:
  struct Axis {
    Uses now;
    Uses highest;
    double last_drive = 0.0;
    double drive_before = 0.0;
  };

  bool is_complete(const Row& row) const noexcept;

  double rows_per_second_;
  safety::EnergyErrorMonitor energy_;
  std::vector<Axis> axes_;
  int drives_ = 0;  // in a row, up to two
};

}  // namespace trestle::live
