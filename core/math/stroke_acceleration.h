#pragma once

namespace trestle::math {

/// Of one actuator in one tick [m, m/s | rad, rad/s].
struct StrokeState {
  double displacement = 0.0;
  double velocity = 0.0;
};

/// Acceleration of an actuator without dynamics, or of the path that it is told, by
/// backward differences [m/s2 | rad/s2].
///
/// A stroke that stands exactly where it was has none. Such an actuator would stop within
/// the tick of a hold, with the acceleration −v/δt: a blow upon the mass of its specimen
/// that no equipment gives, and that would trip the limit of the force. While it moves, no
/// two strokes in a row are equal to the last bit.
inline double acceleration_of_stroke(const StrokeState& before, const StrokeState& now,
                                     double tick) noexcept {
  if (now.displacement == before.displacement) return 0.0;
  return (now.velocity - before.velocity) / tick;
}

}  // namespace trestle::math
