#include "numerical/structure/member_load.h"

#include <cstddef>

namespace trestle::structure {
namespace {

/// Work-equivalent forces of one part of a load.
struct EndForces {
  double along_start, along_end;     // per unit along the member
  double shear_start, moment_start;  // per unit across it
  double shear_end, moment_end;
};

Eigen::VectorXd assembled(const AssembledMember& member, const EndForces& f,
                          const Eigen::Vector3d& force) {
  const bool planar = member.dofs_per_end() == 3;
  Eigen::VectorXd ends = Eigen::VectorXd::Zero(member.stiffness.rows());
  if (planar) {
    ends << f.along_start * force.x(), f.shear_start * force.y(),
        f.moment_start * force.y(), f.along_end * force.x(), f.shear_end * force.y(),
        f.moment_end * force.y();
  } else {
    // In the x–z plane a rotation about y lowers z: the moments change their sign.
    ends << f.along_start * force.x(), f.shear_start * force.y(), f.shear_start * force.z(),
        0.0, -f.moment_start * force.z(), f.moment_start * force.y(),
        f.along_end * force.x(), f.shear_end * force.y(), f.shear_end * force.z(), 0.0,
        -f.moment_end * force.z(), f.moment_end * force.y();
  }
  if (member.release.size() > 0) return member.release.transpose() * ends;
  return ends;
}

}  // namespace

Eigen::VectorXd uniform_load(const AssembledMember& member, const Eigen::Vector3d& force) {
  const double half = 0.5 * member.length;
  const double moment = member.length * member.length / 12.0;
  return assembled(member, {half, half, half, moment, half, -moment}, force);
}

Eigen::VectorXd point_load(const AssembledMember& member, double at,
                           const Eigen::Vector3d& force) {
  const double L = member.length;
  const double a = at;
  const double b = L - at;
  return assembled(member,
                   {b / L, a / L, b * b * (3.0 * a + b) / (L * L * L), a * b * b / (L * L),
                    a * a * (a + 3.0 * b) / (L * L * L), -a * a * b / (L * L)},
                   force);
}

void add_end_forces(const AssembledMember& member, const Eigen::VectorXd& forces,
                    Eigen::VectorXd& load) {
  const Eigen::VectorXd on_equations = member.ends.transpose() * forces;
  for (std::size_t i = 0; i < member.equations.size(); ++i)
    load[member.equations[i]] += on_equations[static_cast<Eigen::Index>(i)];
}

void add_held_end_forces(const AssembledMember& member, const Eigen::VectorXd& forces,
                         Eigen::VectorXd& held_load) {
  if (member.held.empty()) return;
  const Eigen::VectorXd on_rows = member.held_ends.transpose() * forces;
  for (std::size_t i = 0; i < member.held.size(); ++i)
    held_load[member.held[i]] += on_rows[static_cast<Eigen::Index>(i)];
}

}  // namespace trestle::structure
