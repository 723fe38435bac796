#include "site-servers/node/measurement_mean.h"

namespace trestle {

void MeasurementMean::add(const Sensed& sensed) noexcept {
  if (count_++ == 0) {
    sum_ = sensed;
    return;
  }
  sum_.displacement += sensed.displacement;
  sum_.force += sensed.force;
  sum_.reaction += sensed.reaction;
}

Sensed MeasurementMean::of(const Sensed& last) const noexcept {
  if (count_ <= 1) return last;
  const double share = 1.0 / count_;
  return {sum_.displacement * share, sum_.force * share, sum_.reaction * share};
}

void MeasurementMean::take(const Sensed& sum, int count) noexcept {
  sum_ = sum;
  count_ = count;
}

}  // namespace trestle
