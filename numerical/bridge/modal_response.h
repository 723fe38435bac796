#pragma once

#include <Eigen/Core>
#include <cstdint>

#include "core/base/snapshot.h"
#include "numerical/bridge/mode_shapes.h"

namespace trestle::bridge {

/// The scheme that advances a mode from one instant to the next.
enum class ModalScheme : std::uint8_t {
  /// Exact for a force that is linear over the step. Where the force at its end depends on
  /// the acceleration of the bridge itself, as that of a mass on it, it may grow without
  /// bound.
  kExact,
  /// Newmark's β = 1/4, γ = 1/2: stable with any masses on the bridge.
  kAverageAcceleration,
};

/// Deflection of the bridge at one moving place, positive down.
struct Deflection {
  double displacement = 0.0;  ///< w [m]
  double velocity = 0.0;      ///< dw/dt under the place as it moves [m/s]
  double acceleration = 0.0;  ///< d²w/dt² under the place as it moves [m/s²]
};

/// The modal coordinates of a bridge in time, at rest at first:
///
///   q_n'' + 2 ζ_n ω_n q_n' + ω_n² q_n = p_n = Σ φ_n(x_i) F_i
///
/// One step is begin(), then add() for each force at its end, which takes effect
/// immediately. compliance() returns the effect of a force that is not known yet. No call
/// allocates.
class ModalResponse {
 public:
  /// @param frequency  ω > 0 [rad/s]
  /// @param damping    ζ, 0 <= ζ < 1
  /// @param step       h > 0 [s]
  ModalResponse(const Eigen::VectorXd& frequency, const Eigen::VectorXd& damping,
                double step, ModalScheme scheme);

  void reset() noexcept;

  /// From the last instant by one step, as if there were no force at its end.
  void begin() noexcept;
  /// A force at the end of the step. @param force  positive down [N]
  void add(const ShapeValues& shapes, double force) noexcept;

  /// Under a place that moves with `speed` [m/s].
  Deflection at(const ShapeValues& shapes, double speed) const noexcept;
  /// Returns the change of at(shapes, speed) by add(source, 1 N).
  Deflection compliance(const ShapeValues& shapes, double speed,
                        const ShapeValues& source) const noexcept;
  bool finite() const noexcept;

  void save(SnapshotWriter& snapshot) const;
  void restore(SnapshotReader& snapshot);

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  void fill_exact(double step);
  void fill_average_acceleration(double step);

  Eigen::VectorXd frequency_, damping_;
  // q₁ = a₀₀ q₀ + a₀₁ q₀' + b₀ p₀ + c₀ p₁, q₁' = a₁₀ q₀ + a₁₁ q₀' + b₁ p₀ + c₁ p₁,
  // q₁'' = ... + c₂ p₁, mode by mode
  Eigen::ArrayXd a00_, a01_, a10_, a11_, b0_, b1_, c0_, c1_, c2_;
  Eigen::ArrayXd position_, velocity_, acceleration_, load_, spare_;
};

}  // namespace trestle::bridge
