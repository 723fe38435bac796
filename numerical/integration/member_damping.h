#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <memory>
#include <vector>

#include "core/base/snapshot.h"
#include "numerical/structure/structural_model.h"

namespace trestle::integration {

/// Rayleigh damping on the tangents of members that yield: what it is beside b·K₀·v of the
/// damping matrix,
///
///   g_d = b·(K_t − K₀)·v,
///
/// K_t as committed with the last step. No call but the constructor allocates.
class MemberDamping {
 public:
  MemberDamping() = default;
  /// @throws std::invalid_argument if a member that yields follows its chord: its tangent
  ///         has what its axial force does, which damps nothing
  explicit MemberDamping(const structure::StructuralModel& structure);

  bool empty() const noexcept { return members_.empty(); }

  /// The tangents of the members' latest trial are those of the next step.
  void commit() noexcept;
  /// Takes the forces at a velocity.
  void evaluate(const Eigen::VectorXd& velocity) noexcept;
  /// Adds factor times these forces.
  void add(double factor, Eigen::VectorXd& sum) const noexcept;
  /// Forces on the end coordinates of a member by its place in the structure; null: none.
  const structure::MemberLaw::Vector* force(std::size_t member) const noexcept {
    return member < place_.size() && place_[member] >= 0
               ? &members_[static_cast<std::size_t>(place_[member])].force
               : nullptr;
  }

  /// Calls `add(row, column, value)` for the derivatives by the velocity: each pair of
  /// equations of a member in one order, in the same sequence each time.
  template <typename Add>
  void each_derivative(Add add) const noexcept {
    for (const Member& member : members_) {
      member.work.noalias() = member.tangent.lazyProduct(member.ends);
      member.work *= factor_;
      for (std::size_t i = 0; i < member.equations.size(); ++i)
        for (std::size_t j = 0; j <= i; ++j)
          add(member.equations[i], member.equations[j],
              member.ends.col(static_cast<Eigen::Index>(i))
                  .dot(member.work.col(static_cast<Eigen::Index>(j))));
    }
  }

  void save(SnapshotWriter& snapshot) const;
  void restore(SnapshotReader& snapshot);

 private:
  struct Member {
    std::shared_ptr<structure::MemberLaw> law;
    std::vector<int> equations;
    Eigen::MatrixXd ends;
    structure::MemberLaw::Matrix tangent;  // K_t − K₀
    structure::MemberLaw::Vector force;    // g_d, of the end coordinates
    mutable Eigen::MatrixXd work;
    Eigen::VectorXd velocity;
  };

  double factor_ = 0.0;  // b [s]
  std::vector<Member> members_;
  std::vector<int> place_;  // of each member of the structure; -1: it does not yield
};

}  // namespace trestle::integration
