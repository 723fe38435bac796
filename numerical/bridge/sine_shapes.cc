#include "numerical/bridge/sine_shapes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace trestle::bridge {

SineShapes::SineShapes(std::vector<Span> spans, int modes_per_span)
    : spans_(std::move(spans)), modes_(modes_per_span) {}

Eigen::Index SineShapes::modes() const noexcept {
  return modes_ * static_cast<Eigen::Index>(spans_.size());
}

void SineShapes::at(double x, ShapeValues& values) const noexcept {
  values.count = 0;
  if (!(x >= 0.0) || x > spans_.back().start + spans_.back().length) return;
  const auto behind =
      std::upper_bound(spans_.begin(), spans_.end(), x,
                       [](double place, const Span& span) { return place < span.start; });
  const Span& span = *(behind - 1);
  values.first = modes_ * (behind - 1 - spans_.begin());
  values.count = modes_;
  const double norm = std::sqrt(2.0 / (span.mass * span.length));
  for (Eigen::Index n = 0; n < modes_; ++n) {
    const double wave = static_cast<double>(n + 1) * std::numbers::pi / span.length;
    const double sine = norm * std::sin(wave * (x - span.start));
    values.value[n] = sine;
    values.slope[n] = norm * wave * std::cos(wave * (x - span.start));
    values.curvature[n] = -wave * wave * sine;
  }
}

}  // namespace trestle::bridge
