#include "adapters/driver/protection.h"

#include <limits>

namespace trestle::driver {

Protection::Protection(const DriverSettings& settings) noexcept {
  limits_.displacement.fill(std::numeric_limits<double>::infinity());
  limits_.rate.fill(std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < settings.limits.size() && i < limits_.rate.size(); ++i) {
    limits_.displacement[i] = settings.limits[i].displacement;
    limits_.rate[i] = settings.limits[i].rate;
  }
}

void Protection::put_on(DriverPage& page) noexcept {
  page.limits = limits_;
  page.watchdog_ns = watchdog_ns_;
  digest_ = digest_of(limits_, watchdog_ns_);
}

}  // namespace trestle::driver
