#include "adapters/driver_program/drive_guard.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>

namespace trestle::driver_program {
namespace {

constexpr double kRounding = 1.0 + 1e-6;
constexpr double kMilli = 1e3;  // mm and mrad are what an operator reads

std::array<char, 32> milli_text(double value) noexcept {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", kMilli * value);
  return text;
}

}  // namespace

void DriveGuard::know(std::uint32_t actuator, const trestle_channel& channel) noexcept {
  if (actuator >= actuators_.size()) return;
  Actuator& one = actuators_[actuator];
  one.rotates = channel.rotates != 0;
  std::copy_n(std::begin(channel.name), one.name.size(), one.name.begin());
  one.name.back() = '\0';
}

void DriveGuard::begin(double tick_s) noexcept {
  tick_s_ = tick_s;
  driven_ = false;
}

bool DriveGuard::accepts(std::span<const double> drive, const driver::DriveLimits& limits,
                         std::uint32_t holds, std::span<char> why) const noexcept {
  const bool steps = driven_ && holds == driven_at_;
  for (std::size_t i = 0; i < drive.size(); ++i) {
    if (!std::isfinite(drive[i])) {
      std::snprintf(why.data(), why.size(),
                    "its driver refuses the drive: a number that is not finite at actuator "
                    "%s; see to the compensator and the controller of the site",
                    name_of(i).data());
      return false;
    }
    const double place = std::abs(drive[i]);
    if (!(place <= limits.displacement[i] * kRounding)) {
      refuse({"displacement", "", place, limits.displacement[i]}, i, why);
      return false;
    }
    const double step = std::abs(drive[i] - drive_[i]);
    if (steps && !(step <= limits.rate[i] * tick_s_ * kRounding)) {
      refuse({"rate", "/s", step / tick_s_, limits.rate[i]}, i, why);
      return false;
    }
  }
  return true;
}

void DriveGuard::refuse(const Excess& excess, std::size_t actuator,
                        std::span<char> why) const noexcept {
  const Text is = milli_text(excess.value);
  const Text most = milli_text(excess.limit);
  const char* const unit = actuators_[actuator].rotates ? "mrad" : "mm";
  // Six digits are enough to read, unless they hide the difference.
  std::snprintf(
      why.data(), why.size(),
      "its driver refuses the drive: %s %s%s %s%s at actuator %s is above its "
      "limit %s %s%s; reduce the motion, or raise `limits.actuators` in the site's "
      "file and start the site again",
      excess.what, is == most ? "just over " : "", is.data(), unit, excess.per,
      name_of(actuator).data(), most.data(), unit, excess.per);
}

DriveGuard::Text DriveGuard::name_of(std::size_t actuator) const noexcept {
  Text name = actuators_[actuator].name;
  if (name.front() == '\0') std::snprintf(name.data(), name.size(), "%zu", actuator + 1);
  return name;
}

void DriveGuard::passed(std::span<const double> drive, std::uint32_t holds) noexcept {
  std::copy(drive.begin(), drive.end(), drive_.begin());
  driven_ = true;
  driven_at_ = holds;
}

}  // namespace trestle::driver_program
