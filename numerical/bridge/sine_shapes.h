#pragma once

#include <vector>

#include "numerical/bridge/mode_shapes.h"

namespace trestle::bridge {

/// Simply supported spans side by side, every one with its own modes:
///
///   φ_n = √(2/(m L)) sin(n π ξ/L),   ξ from the left end of the span
///
/// (Frýba, Vibration of Solids and Structures under Moving Loads, 1999, ch. 1).
class SineShapes final : public ModeShapes {
 public:
  struct Span {
    double start = 0.0;   ///< x of its left end [m]
    double length = 0.0;  ///< L [m]
    double mass = 0.0;    ///< m [kg/m]
  };

  /// @param spans  one behind the other, at least one
  SineShapes(std::vector<Span> spans, int modes_per_span);

  Eigen::Index modes() const noexcept override;
  Eigen::Index max_active_modes() const noexcept override { return modes_; }
  void at(double x, ShapeValues& values) const noexcept override;

 private:
  std::vector<Span> spans_;
  Eigen::Index modes_;
};

}  // namespace trestle::bridge
