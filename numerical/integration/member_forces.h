#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <memory>
#include <vector>

#include "core/base/snapshot.h"
#include "numerical/structure/structural_model.h"

namespace trestle::integration {

/// The members of a structure that have a law, all together: what their forces are beside
/// K₀·u, on the equations. Several objects may share the laws of one structure. No call
/// but the constructor allocates.
class MemberForces {
 public:
  MemberForces() = default;
  explicit MemberForces(const structure::StructuralModel& structure);

  bool empty() const noexcept { return members_.empty(); }

  /// Tries a motion of the structure.
  void trial(const Eigen::VectorXd& displacement) noexcept;
  void commit() noexcept;
  void reset() noexcept;
  /// Adds factor times the forces of the latest trial.
  void add(double factor, Eigen::VectorXd& sum) const noexcept;
  /// The same of those that can yield, or of those that cannot.
  void add_if(bool yields, double factor, Eigen::VectorXd& sum) const noexcept;

  /// Calls `add(row, column, value)` for what the tangents of the latest trial are beside
  /// K₀: each pair of equations of a member in one order, in the same sequence each time.
  template <typename Add>
  void each_tangent(Add add) const noexcept {
    for (const Member& member : members_) {
      member.work.noalias() = member.law->tangent_beyond().lazyProduct(member.ends);
      for (std::size_t i = 0; i < member.equations.size(); ++i)
        for (std::size_t j = 0; j <= i; ++j)
          add(member.equations[i], member.equations[j],
              member.ends.col(static_cast<Eigen::Index>(i))
                  .dot(member.work.col(static_cast<Eigen::Index>(j))));
    }
  }
  /// The tangents of the latest trial beside K₀, as a matrix. Allocates.
  structure::SparseMatrix tangent() const;

  void save(SnapshotWriter& snapshot) const;
  void restore(SnapshotReader& snapshot);

 private:
  using Ends = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic>;
  struct Member {
    std::shared_ptr<structure::MemberLaw> law;
    std::vector<int> equations;
    Ends ends;
    mutable Ends work;
    mutable Eigen::VectorXd moved;
  };

  Eigen::Index equations_ = 0;
  std::vector<Member> members_;
};

}  // namespace trestle::integration
