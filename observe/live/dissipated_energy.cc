#include "observe/live/dissipated_energy.h"

#include <cmath>
#include <limits>

namespace trestle::live {

void DissipatedEnergy::add(std::int64_t index, double displacement, double force) noexcept {
  if (index != next_) whole_ = false;
  if (next_ > 0) {
    const double part = 0.5 * (force + force_) * (displacement - displacement_);
    if (std::isfinite(part)) sum_ += part;
  }
  next_ = index + 1;
  displacement_ = displacement;
  force_ = force;
}

double DissipatedEnergy::value() const noexcept {
  return whole_ && next_ > 0 ? sum_ : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace trestle::live
