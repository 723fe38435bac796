#pragma once

#include "core/base/snapshot.h"

namespace trestle::simulated {

/// A joint that stays rigid until its moment makes it rotate for good: concentrated
/// plasticity, in series with whatever elastic element it sits on.
///
/// With p the plastic rotation [rad] and M the moment [N·m] of the same sign, M is the sum
/// of a hardening part H·p and of a hysteretic part that its kind bounds by the yield
/// moment. H = hardening/(1 − hardening) · k₀, k₀ the reference stiffness: a spring k₀ in
/// series with the hinge has the stiffness hardening · k₀ once it yields. Rate-independent;
/// a flow never gives energy back: hysteretic moment × flow >= 0.
class PlasticHinge {
 public:
  virtual ~PlasticHinge() = default;

  /// The plastic rotation that this step adds, if the moment is trial − stiffness · flow.
  /// A non-decreasing function of the trial moment, never steeper than 1/stiffness.
  /// Changes nothing; bounded work.
  /// @param stiffness  > 0 [N·m/rad]
  virtual double flow(double trial_moment, double stiffness) const noexcept = 0;

  /// Makes a flow final, together with the moment at its end.
  virtual void commit(double flow, double moment) noexcept = 0;

  /// Plastic rotation so far [rad].
  virtual double rotation() const noexcept = 0;

  virtual void reset() noexcept = 0;
  virtual void save(SnapshotWriter& snapshot) const = 0;
  virtual void restore(SnapshotReader& snapshot) = 0;
};

/// The settings of both kinds of hinge.
struct HingeSettings {
  double yield_moment = 0.0;         ///< > 0 [N·m]
  double hardening = 0.0;            ///< second stiffness / first, in [0, 1)
  double reference_stiffness = 0.0;  ///< k₀ > 0 [N·m/rad]
};

}  // namespace trestle::simulated
