#include "site-servers/node/measurement_mean.h"

namespace trestle::site_node {

void MeasurementMean::add(const Measurement& sensed) noexcept {
  if (count_++ == 0) {
    sum_ = sensed;
    return;
  }
  sum_.displacement += sensed.displacement;
  sum_.force += sensed.force;
  sum_.force_only += sensed.force_only;
}

Measurement MeasurementMean::of(const Measurement& last) const noexcept {
  if (count_ <= 1) return last;
  const double share = 1.0 / count_;
  return {sum_.displacement * share, sum_.force * share, sum_.force_only * share};
}

void MeasurementMean::take(const Measurement& sum, int count) noexcept {
  sum_ = sum;
  count_ = count;
}

}  // namespace trestle::site_node
