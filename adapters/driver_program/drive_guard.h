#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "adapters/driver/driver_page.h"

namespace trestle::driver_program {

/// Compares each drive with the limits of its site, in the driver. The gate of the site has
/// compared it before. Knows the actuators by the names that the plug-in gave them, so that
/// its sentences are those that the operator reads at the site. Neither allocates nor
/// locks; on the thread that calls the plug-in.
class DriveGuard {
 public:
  /// What the plug-in says of an actuator. One that it has said nothing of has its number,
  /// and metres.
  void know(std::uint32_t actuator, const trestle_channel& channel) noexcept;

  /// A run begins: no drive is in force. @param tick_s  time between two drives [s]
  void begin(double tick_s) noexcept;

  /// Whether the drive is finite and within its limits [m | rad], the rate [m/s | rad/s]
  /// against the drive in force.
  /// @param holds  of the rig until now: after one, no drive is in force
  /// @param why    otherwise: actuator, number, limit and what to do; ends with a zero
  bool accepts(std::span<const double> drive, const driver::DriveLimits& limits,
               std::uint32_t holds, std::span<char> why) const noexcept;

  /// The drive is in force. @param holds  of the rig before it
  void passed(std::span<const double> drive, std::uint32_t holds) noexcept;

 private:
  using Text = std::array<char, 32>;
  struct Actuator {
    bool rotates = false;
    Text name{};  // empty: its number
  };
  struct Excess {
    const char* what;
    const char* per;  // behind the unit
    double value;
    double limit;
  };

  void refuse(const Excess& excess, std::size_t actuator,
              std::span<char> why) const noexcept;
  Text name_of(std::size_t actuator) const noexcept;

  std::array<Actuator, TRESTLE_MOST_ACTUATORS> actuators_{};
  std::array<double, TRESTLE_MOST_ACTUATORS> drive_{};  // in force, if `driven_`
  double tick_s_ = 0.0;
  bool driven_ = false;
  std::uint32_t driven_at_ = 0;  // number of holds before it
};

}  // namespace trestle::driver_program
