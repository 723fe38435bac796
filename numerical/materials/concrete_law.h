#pragma once

#include "numerical/materials/restoring_force.h"

namespace trestle::materials {

/// All positive; strengths [Pa].
struct ConcreteLawSettings {
  double strength = 0.0;         ///< f_c, > 0
  double strain = 0.0;           ///< ε_c at it, > 0
  double residual = 0.0;         ///< f_u, 0 <= f_u <= f_c
  double ultimate_strain = 0.0;  ///< ε_u, > ε_c
};

/// Concrete after Kent, Park and Scott (1982), tension positive, without tensile strength:
/// σ = −f_c·(2ε/ε_c − (ε/ε_c)²) to ε_c, a line to (ε_u, f_u), then f_u. Unloading on a line
/// towards ε_p (Karsan and Jirsa 1969): with η = ε_min/ε_c, ε_min not beyond ε_u, ε_p/ε_c =
/// 0.145η² + 0.13η for η < 2, else 0.707(η − 2) + 0.834; its slope is at most
/// E_c = 2f_c/ε_c. Loading again on the same line.
class ConcreteLaw final : public RestoringForce {
 public:
  /// @throws SettingError if a setting is outside its range
  explicit ConcreteLaw(const ConcreteLawSettings& settings);

  double initial_stiffness() const noexcept override {
    return 2.0 * settings_.strength / settings_.strain;
  }
  double yield_force() const noexcept override { return settings_.strength; }
  LawResponse trial(double displacement, double velocity) noexcept override;
  void commit() noexcept override;
  void reset() noexcept override;
  void save(SnapshotWriter& snapshot) const override { snapshot(smallest_); }
  void restore(SnapshotReader& snapshot) override;

 private:
  LawResponse first_loading(double strain) const noexcept;
  void unload_from(double smallest) noexcept;

  ConcreteLawSettings settings_;
  double smallest_ = 0.0;  // strain so far
  double trial_ = 0.0;
  double end_ = 0.0;    // of the line of unloading, ε_p
  double slope_ = 0.0;  // of it
};

}  // namespace trestle::materials
