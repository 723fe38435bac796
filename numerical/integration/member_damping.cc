#include "numerical/integration/member_damping.h"

#include <stdexcept>

namespace trestle::integration {

MemberDamping::MemberDamping(const structure::StructuralModel& structure) {
  if (!structure.details.tangent_factor) return;
  factor_ = *structure.details.tangent_factor;
  for (const structure::AssembledMember& member : structure.members) {
    place_.push_back(-1);
    if (!member.law || !member.law->yields()) continue;
    if (member.law->follows_chord())
      throw std::invalid_argument(
          "Rayleigh damping has stiffness: tangent, and the tangent of the corotational "
          "fibre member `" +
          member.name +
          "` holds what its axial force does, which damps nothing; take stiffness: initial "
          "or elastic");
    place_.back() = static_cast<int>(members_.size());
    const auto count = static_cast<Eigen::Index>(member.equations.size());
    const Eigen::Index ends = member.ends.rows();
    members_.push_back({.law = member.law,
                        .equations = member.equations,
                        .ends = member.ends,
                        .tangent = structure::MemberLaw::Matrix::Zero(ends, ends),
                        .force = structure::MemberLaw::Vector::Zero(ends),
                        .work = Eigen::MatrixXd::Zero(ends, count),
                        .velocity = Eigen::VectorXd::Zero(count)});
  }
}

void MemberDamping::commit() noexcept {
  for (Member& member : members_) member.tangent = member.law->tangent_beyond();
}

void MemberDamping::evaluate(const Eigen::VectorXd& velocity) noexcept {
  for (Member& member : members_) {
    for (std::size_t i = 0; i < member.equations.size(); ++i)
      member.velocity[static_cast<Eigen::Index>(i)] = velocity[member.equations[i]];
    const structure::MemberLaw::Vector ends = member.ends.lazyProduct(member.velocity);
    member.force.noalias() = member.tangent.lazyProduct(ends);
    member.force *= factor_;
  }
}

void MemberDamping::add(double factor, Eigen::VectorXd& sum) const noexcept {
  for (const Member& member : members_)
    for (std::size_t i = 0; i < member.equations.size(); ++i)
      sum[member.equations[i]] +=
          factor * member.ends.col(static_cast<Eigen::Index>(i)).dot(member.force);
}

void MemberDamping::save(SnapshotWriter& snapshot) const {
  for (const Member& member : members_) {
    snapshot.add(member.tangent);
    snapshot.add(member.force);
  }
}

void MemberDamping::restore(SnapshotReader& snapshot) {
  for (Member& member : members_) {
    snapshot.fill(member.tangent);
    snapshot.fill(member.force);
  }
}

}  // namespace trestle::integration
