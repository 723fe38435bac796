#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "core/base/snapshot.h"
#include "numerical/integration/member_damping.h"
#include "numerical/structure/structural_model.h"

namespace trestle::integration {

/// Rayleigh damping on the tangent stiffness of what yields: what it is beside the damping
/// matrix, which has the stiffness at rest. Of springs and hinges
///
///   φ_d = b·[(k_t − k₀)·ė + k_p·ė_p],
///
/// k_t and k_p the derivatives of the force by the spring's deformation and its partner's,
/// as committed with the last step; of members, MemberDamping. No call but the constructor
/// allocates.
class TangentDamping {
 public:
  /// Empty if the structure's damping is a matrix alone.
  /// @throws std::invalid_argument as MemberDamping
  explicit TangentDamping(const structure::StructuralModel& structure);

  bool empty() const noexcept { return springs_.empty() && members_.empty(); }

  /// Keeps the tangents of a spring's latest trial.
  void tried(std::size_t spring, const materials::LawResponse& response) noexcept;
  /// ∂φ_d/∂ė and ∂φ_d/∂ė_p of a spring [N·s/m | N·m·s/rad].
  double by_rate(std::size_t spring) const noexcept { return springs_[spring].by_rate; }
  double by_partner(std::size_t spring) const noexcept {
    return springs_[spring].by_partner;
  }
  /// Takes the force of a spring at these rates, and returns it [N | N·m].
  double evaluate(std::size_t spring, double rate, double partner_rate) noexcept {
    Spring& own = springs_[spring];
    own.force = own.by_rate * rate + own.by_partner * partner_rate;
    return own.force;
  }
  /// Of a spring, as it was evaluated last; zero if this is empty.
  double force(std::size_t spring) const noexcept {
    return spring < springs_.size() ? springs_[spring].force : 0.0;
  }
  MemberDamping& members() noexcept { return members_; }
  const MemberDamping& members() const noexcept { return members_; }

  /// The tangents of the latest trials, of springs and members, are those of the next step.
  void commit() noexcept;
  /// Adds factor times all forces as they were evaluated last.
  void add(double factor, Eigen::VectorXd& sum) const noexcept;

  void save(SnapshotWriter& snapshot) const;
  void restore(SnapshotReader& snapshot);

 private:
  struct Spring {
    structure::DofTerms elongation;
    double initial_stiffness = 0.0;
    bool yields = false;
    double tried = 0.0;  // b·(k_t − k₀) of the latest trial
    double tried_partner = 0.0;
    double by_rate = 0.0;
    double by_partner = 0.0;
    double force = 0.0;
  };

  double factor_ = 0.0;          // b [s]
  std::vector<Spring> springs_;  // all of the structure, in its order
  MemberDamping members_;
};

}  // namespace trestle::integration
