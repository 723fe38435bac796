#include "numerical/integration/member_forces.h"

namespace trestle::integration {

MemberForces::MemberForces(const structure::StructuralModel& structure)
    : equations_(structure.equations) {
  for (const structure::AssembledMember& member : structure.members) {
    if (!member.law) continue;
    const auto count = static_cast<Eigen::Index>(member.equations.size());
    members_.push_back({.law = member.law,
                        .equations = member.equations,
                        .ends = member.ends,
                        .work = Ends::Zero(member.ends.rows(), count),
                        .moved = Eigen::VectorXd::Zero(count)});
  }
}

void MemberForces::trial(const Eigen::VectorXd& displacement) noexcept {
  for (const Member& member : members_) {
    for (std::size_t i = 0; i < member.equations.size(); ++i)
      member.moved[static_cast<Eigen::Index>(i)] = displacement[member.equations[i]];
    const structure::MemberLaw::Vector ends = member.ends.lazyProduct(member.moved);
    member.law->trial(ends);
  }
}

void MemberForces::commit() noexcept {
  for (const Member& member : members_) member.law->commit();
}

void MemberForces::reset() noexcept {
  for (const Member& member : members_) member.law->reset();
}

void MemberForces::add(double factor, Eigen::VectorXd& sum) const noexcept {
  add_if(false, factor, sum);
  add_if(true, factor, sum);
}

void MemberForces::add_if(bool yields, double factor, Eigen::VectorXd& sum) const noexcept {
  for (const Member& member : members_) {
    if (member.law->yields() != yields) continue;
    for (std::size_t i = 0; i < member.equations.size(); ++i)
      sum[member.equations[i]] +=
          factor * member.ends.col(static_cast<Eigen::Index>(i)).dot(member.law->beyond());
  }
}

structure::SparseMatrix MemberForces::tangent() const {
  std::vector<Eigen::Triplet<double>> entries;
  each_tangent([&entries](int row, int column, double value) {
    entries.emplace_back(row, column, value);
    if (row != column) entries.emplace_back(column, row, value);
  });
  structure::SparseMatrix result(equations_, equations_);
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

void MemberForces::save(SnapshotWriter& snapshot) const {
  for (const Member& member : members_) member.law->save(snapshot);
}

void MemberForces::restore(SnapshotReader& snapshot) {
  for (const Member& member : members_) member.law->restore(snapshot);
}

}  // namespace trestle::integration
