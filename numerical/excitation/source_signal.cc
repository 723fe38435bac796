#include "numerical/excitation/source_signal.h"

#include <algorithm>

namespace trestle::excitation {

SampledSource::SampledSource(const SourceSignal& signal, double time_step,
                             std::int64_t steps) {
  const bool displacement = signal.quantity == SourceQuantity::kDisplacement;
  const double h = time_step;
  const auto before = displacement ? signal.at(0.0) : 0.0;
  const auto value_at = [&](double time) {
    return time < 0.0 ? before : signal.at(time);
  };
  for (std::int64_t k = -1; k <= steps; ++k) {
    const double t = static_cast<double>(k) * h;
    const double here = value_at(t);
    const double next = value_at(t + h);
    if (displacement) {
      mean_.push_back((next - here) / h);
      at_.push_back((next - value_at(t - h)) / (2.0 * h));
    } else {
      // Simpson's rule.
      mean_.push_back((here + 4.0 * value_at(t + 0.5 * h) + next) / 6.0);
      at_.push_back(here);
    }
  }
}

SampledSource sampled(const std::vector<SourceSignal>& signals, const std::string& source,
                      double time_step, std::int64_t steps) {
  for (const SourceSignal& signal : signals)
    if (signal.source == source) return {signal, time_step, steps};
  return {};
}

}  // namespace trestle::excitation
