#pragma once

#include <cstdint>

#include "adapters/driver/driver_page.h"
#include "adapters/driver/driver_settings.h"

namespace trestle::driver {

/// What protects a rig in its driver, as its site has set it: the largest drives, and the
/// watchdog. It stands on the page; a digest of it in each request tells the driver whether
/// it still does.
class Protection {
 public:
  explicit Protection(const DriverSettings& settings) noexcept;

  /// @param watchdog_ns  DriverPage::watchdog_ns
  void set_watchdog(std::int64_t watchdog_ns) noexcept { watchdog_ns_ = watchdog_ns; }
  /// @pre the driver serves no request
  void put_on(DriverPage& page) noexcept;
  /// The digest of what was put on the page last.
  std::uint64_t digest() const noexcept { return digest_; }

 private:
  DriveLimits limits_;
  std::int64_t watchdog_ns_ = 0;
  std::uint64_t digest_ = 0;
};

}  // namespace trestle::driver
