#include "numerical/substructure/member_force_record.h"

#include <algorithm>
#include <array>
#include <unordered_set>

namespace trestle::substructure {
namespace {

struct EndForce {
  const char* name;
  const char* unit;
};
constexpr std::array<EndForce, 3> kPlanar{{{"N_N", "N"}, {"V_N", "N"}, {"M_Nm", "N.m"}}};
constexpr std::array<EndForce, 6> kSpatial{{{"N_N", "N"},
                                            {"Vy_N", "N"},
                                            {"Vz_N", "N"},
                                            {"T_Nm", "N.m"},
                                            {"My_Nm", "N.m"},
                                            {"Mz_Nm", "N.m"}}};

/// End forces by the displacements of the member's equations.
Eigen::MatrixXd forces_of(const structure::AssembledMember& member) {
  return member.stiffness * member.ends;
}

}  // namespace

MemberForceRecord::MemberForceRecord(const std::vector<std::string>& names,
                                     const std::vector<structure::AssembledMember>& members,
                                     const excitation::Excitation& excitation) {
  const std::unordered_set<std::string> wanted(names.begin(), names.end());
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (!wanted.contains(members[i].name)) continue;
    if (members[i].part == 0) add(members[i], i, false, excitation);
    if (i + 1 == members.size() || members[i + 1].part == 0)
      add(members[i], i, true, excitation);
  }
}

void MemberForceRecord::add(const structure::AssembledMember& member, std::size_t index,
                            bool end, const excitation::Excitation& excitation) {
  const Eigen::Index size = member.dofs_per_end();
  const Eigen::Index first = end ? size : 0;
  End& made = ends_.emplace_back();
  made.equations = member.equations;
  made.law = member.law;
  made.first = first;
  made.forces = forces_of(member).middleRows(first, size);
  if (excitation.moves_supports() && !member.held.empty()) {
    made.held = member.held;
    made.held_forces =
        Eigen::MatrixXd(member.stiffness * member.held_ends).middleRows(first, size);
    const auto rows = *std::max_element(member.held.begin(), member.held.end()) + 1;
    if (rows > supports_.size()) supports_.resize(rows);
  }
  const auto share = [&](const excitation::MemberEndForces& forces, std::size_t load) {
    if (forces.member == index)
      made.loads.push_back({load, forces.forces.segment(first, size)});
  };
  for (const excitation::MemberEndForces& forces : excitation.gravity_of_members())
    share(forces, kGravity);
  for (std::size_t i = 0; i < excitation.loads().size(); ++i)
    for (const excitation::MemberEndForces& forces : excitation.loads()[i].members)
      share(forces, i);

  const std::string where = member.name + (end ? ".to." : ".from.");
  const auto name = [&](const EndForce& force) {
    channels_.push_back({where + force.name, force.unit});
  };
  if (size == 3)
    for (const EndForce& force : kPlanar) name(force);
  else
    for (const EndForce& force : kSpatial) name(force);
}

void MemberForceRecord::write(const Eigen::VectorXd& displacement,
                              const excitation::Excitation& excitation, std::int64_t step,
                              std::span<double> row) const noexcept {
  if (supports_.size() > 0)
    excitation.support_motion(
        step, excitation::Excitation::SupportDerivative::kDisplacement, supports_);
  std::size_t at = 0;
  for (const End& end : ends_) {
    const std::size_t begin = at;
    for (Eigen::Index i = 0; i < end.forces.rows(); ++i) {
      double force = 0.0;
      for (std::size_t j = 0; j < end.held.size(); ++j)
        force += end.held_forces(i, static_cast<Eigen::Index>(j)) * supports_[end.held[j]];
      for (std::size_t j = 0; j < end.equations.size(); ++j)
        force +=
            end.forces(i, static_cast<Eigen::Index>(j)) * displacement[end.equations[j]];
      for (const LoadShare& share : end.loads)
        force -= share.forces[i] *
                 (share.load == kGravity ? 1.0 : excitation.factor(share.load, step));
      row[at++] = force;
    }
    if (end.law) add_law(end, row.subspan(begin, at - begin));
  }
}

/// Adds what the law has beside the stiffness, and turns to the axes of the moved member.
void MemberForceRecord::add_law(const End& end, std::span<double> forces) noexcept {
  for (std::size_t i = 0; i < forces.size(); ++i)
    forces[i] += end.law->beyond()[end.first + static_cast<Eigen::Index>(i)];
  const Eigen::Matrix3d axes = end.law->turned();
  if (forces.size() == 3) {
    const Eigen::Vector2d force =
        axes.topLeftCorner<2, 2>() * Eigen::Vector2d(forces[0], forces[1]);
    forces[0] = force[0];
    forces[1] = force[1];
    return;
  }
  const Eigen::Matrix3d moment_axes = end.law->turned_moment(end.first == 0 ? 0 : 1);
  for (std::size_t block = 0; block < forces.size(); block += 3) {
    const Eigen::Vector3d turned =
        (block == 0 ? axes : moment_axes) *
        Eigen::Vector3d(forces[block], forces[block + 1], forces[block + 2]);
    for (std::size_t i = 0; i < 3; ++i)
      forces[block + i] = turned[static_cast<Eigen::Index>(i)];
  }
}

}  // namespace trestle::substructure
