#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/types/motion.h"
#include "numerical/excitation/excitation.h"
#include "numerical/structure/site_base.h"

namespace trestle::substructure {

/// What the supports that specimens stand on move by: a laboratory's floor rests, so that
/// its targets are relative to that.
class SiteBases {
 public:
  SiteBases() = default;
  /// @param bases  one per site; without rows: it stands on the ground
  /// @param held   number of held DOFs of the structure
  SiteBases(std::vector<structure::SiteBase> bases, Eigen::Index held);

  /// Takes the supports to a step. Does not allocate.
  void move(const excitation::Excitation& excitation, std::int64_t step) noexcept;

  /// Takes the motion of its support from a target, which may have only the first of the
  /// site's DOFs. Does not allocate.
  void make_relative(std::size_t site, InterfaceMotion& target) const noexcept;

 private:
  void subtract(const structure::SiteBase& base, const Eigen::VectorXd& motion,
                InterfaceVector& from) const noexcept;

  std::vector<structure::SiteBase> bases_;  // empty: no site stands on such a support
  Eigen::VectorXd displacement_;            // of all held DOFs
  Eigen::VectorXd velocity_;
  Eigen::VectorXd acceleration_;
};

}  // namespace trestle::substructure
