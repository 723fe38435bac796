#include "numerical/bridge/girders.h"

#include <cmath>
#include <numbers>

#include "numerical/bridge/sine_shapes.h"

namespace trestle::bridge {

bool Girders::simply_supported() const noexcept {
  for (const auto& girder : spans)
    if (girder.size() != 1) return false;
  for (const PierSettings& pier : piers)
    if (std::isfinite(pier.stiffness)) return false;
  return true;
}

BridgeModes sine_modes(const Girders& girders, int modes_per_span) {
  std::vector<SineShapes::Span> spans;
  BridgeModes bridge;
  const auto count = static_cast<Eigen::Index>(girders.spans.size());
  bridge.frequency.resize(count * modes_per_span);
  double x = 0.0;
  Eigen::Index at = 0;
  for (const auto& girder : girders.spans) {
    const GirderSpan& span = girder.front();
    spans.push_back({x, span.length, span.mass});
    for (int n = 1; n <= modes_per_span; ++n) {
      const double wave = n * std::numbers::pi / span.length;
      bridge.frequency[at++] = wave * wave * std::sqrt(span.stiffness / span.mass);
    }
    bridge.parts.push_back(modes_per_span);
    x += span.length;
  }
  bridge.shapes = std::make_unique<SineShapes>(std::move(spans), modes_per_span);
  return bridge;
}

}  // namespace trestle::bridge
