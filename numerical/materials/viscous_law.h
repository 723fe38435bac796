#pragma once

#include <limits>

#include "numerical/materials/restoring_force.h"

namespace trestle::materials {

struct ViscousLawSettings {
  double coefficient = 0.0;  ///< C [N·(s/m)^α | N·m·(s/rad)^α], > 0
  double exponent = 1.0;     ///< α, 0.1 to 2
  double stiffness = 0.0;    ///< k of a brace in series [N/m | N·m/rad]; zero: rigid
};

/// Fluid damper: f = C·sgn(v)·|v|^α.
///
/// With a brace in series the damper moves with v − ḟ/k: ḟ = k·(v − sgn(f)·(|f|/C)^(1/α)),
/// by one step of backward Euler from commit to commit, whose scalar equation is solved
/// inside a bracket. At rest neither carries anything.
class ViscousLaw final : public RestoringForce {
 public:
  /// @throws SettingError if a setting is outside its range
  explicit ViscousLaw(const ViscousLawSettings& settings);

  double initial_stiffness() const noexcept override { return 0.0; }
  double largest_stiffness() const noexcept override { return stiffness_; }
  /// With what a brace stores.
  bool is_damper() const noexcept override { return true; }
  bool depends_on_rate() const noexcept override { return true; }
  bool states_rate() const noexcept override {
    return stiffness_ == 0.0 && exponent_ < 1.0;
  }
  RateResponse rate_by(double force) const noexcept override;
  double force_by_rate(double rate) const noexcept override {
    return without_brace(rate).force;
  }
  void set_time_step(double time_step) noexcept override { time_step_ = time_step; }
  LawResponse trial(double displacement, double velocity) noexcept override;
  void commit() noexcept override;
  void reset() noexcept override;
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  LawResponse without_brace(double velocity) const noexcept;
  double braced_force(double elastic) const noexcept;

  double coefficient_;
  double exponent_;
  double stiffness_;
  double time_step_ = std::numeric_limits<double>::infinity();
  double displacement_ = 0.0;
  double force_ = 0.0;  // of the brace
  double trial_displacement_ = 0.0;
  double trial_force_ = 0.0;
};

}  // namespace trestle::materials
