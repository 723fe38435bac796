#pragma once

#include <vector>

#include "numerical/materials/restoring_force.h"

namespace trestle::materials {

struct MultiLinearLawSettings {
  /// A point of the curve of first loading, for both signs.
  struct Point {
    double displacement = 0.0;  ///< rising from zero [m | rad]
    double force = 0.0;         ///< [N | N·m]
  };
  std::vector<Point> points;  ///< at least one; slopes fall and stay >= 0
  bool elastic = false;       ///< without memory
};

/// Straight lines through the origin and given points; the last line continues.
///
/// Kinematic hardening after Iwan (1967): springs in parallel, each with a slider, the i-th
/// of the stiffness by which the slope falls at point i, sliding from there; and one
/// without slider. One step of any length is exact. `elastic`: loading and unloading on the
/// same lines.
class MultiLinearLaw final : public RestoringForce {
 public:
  /// @throws SettingError if a setting is outside its range
  explicit MultiLinearLaw(const MultiLinearLawSettings& settings);

  double initial_stiffness() const noexcept override { return initial_stiffness_; }
  double yield_force() const noexcept override { return yield_force_; }
  LawResponse trial(double displacement, double velocity) noexcept override;
  void commit() noexcept override;
  void reset() noexcept override;
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;
  double stored_energy(double displacement) const noexcept override;

 private:
  struct Slider {
    double stiffness;
    double limit;  // of its stretch [m | rad]
    double stretch = 0.0;
    double trial = 0.0;
  };
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);

  double initial_stiffness_ = 0.0;
  double last_stiffness_ = 0.0;  // of the part without slider
  double yield_force_;
  bool elastic_;
  std::vector<Slider> sliders_;
  double displacement_ = 0.0;
  double trial_displacement_ = 0.0;
};

}  // namespace trestle::materials
