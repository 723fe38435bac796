#include "numerical/substructure/site_bases.h"

#include <algorithm>
#include <utility>

namespace trestle::substructure {

SiteBases::SiteBases(std::vector<structure::SiteBase> bases, Eigen::Index held) {
  if (std::all_of(bases.begin(), bases.end(),
                  [](const structure::SiteBase& base) { return base.rows.empty(); }))
    return;
  bases_ = std::move(bases);
  displacement_ = velocity_ = acceleration_ = Eigen::VectorXd::Zero(held);
}

void SiteBases::move(const excitation::Excitation& excitation, std::int64_t step) noexcept {
  if (bases_.empty()) return;
  using Derivative = excitation::Excitation::SupportDerivative;
  excitation.support_motion(step, Derivative::kDisplacement, displacement_);
  excitation.support_motion(step, Derivative::kVelocity, velocity_);
  excitation.support_motion(step, Derivative::kAcceleration, acceleration_);
}

void SiteBases::make_relative(std::size_t site, InterfaceMotion& target) const noexcept {
  if (bases_.empty()) return;
  const structure::SiteBase& base = bases_[site];
  subtract(base, displacement_, target.displacement);
  subtract(base, velocity_, target.velocity);
  subtract(base, acceleration_, target.acceleration);
}

void SiteBases::subtract(const structure::SiteBase& base, const Eigen::VectorXd& motion,
                         InterfaceVector& from) const noexcept {
  for (std::size_t i = 0; i < base.rows.size(); ++i)
    for (Eigen::Index j = 0; j < from.size(); ++j)
      from[j] -= base.influence(j, static_cast<Eigen::Index>(i)) * motion[base.rows[i]];
}

}  // namespace trestle::substructure
