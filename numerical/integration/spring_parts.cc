#include "numerical/integration/spring_parts.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace trestle::integration {

std::vector<SpringPart> divide_springs(Eigen::MatrixXd& compliance,
                                       const std::vector<Eigen::Index>& partners) {
  const Eigen::Index count = compliance.rows();
  const auto coupled = [&](Eigen::Index i, Eigen::Index j) {
    const double most = std::sqrt(std::abs(compliance(i, i) * compliance(j, j)));
    return std::max(std::abs(compliance(i, j)), std::abs(compliance(j, i))) >=
               kSpringCoupling * most ||
           partners[static_cast<std::size_t>(i)] == j ||
           partners[static_cast<std::size_t>(j)] == i;
  };
  std::vector<SpringPart> parts;
  std::vector<bool> taken(static_cast<std::size_t>(count), false);
  for (Eigen::Index first = 0; first < count; ++first) {
    if (taken[static_cast<std::size_t>(first)]) continue;
    SpringPart part;
    part.springs = {first};
    taken[static_cast<std::size_t>(first)] = true;
    for (std::size_t at = 0; at < part.springs.size(); ++at)
      for (Eigen::Index other = first; other < count; ++other) {
        if (taken[static_cast<std::size_t>(other)] || !coupled(part.springs[at], other))
          continue;
        taken[static_cast<std::size_t>(other)] = true;
        part.springs.push_back(other);
      }
    std::sort(part.springs.begin(), part.springs.end());
    const auto size = static_cast<Eigen::Index>(part.springs.size());
    part.jacobian.resize(size, size);
    part.change.resize(size);
    parts.push_back(std::move(part));
  }
  if (parts.size() < 2) return parts;
  Eigen::MatrixXd within = Eigen::MatrixXd::Zero(count, count);
  for (const SpringPart& part : parts)
    for (const Eigen::Index i : part.springs)
      for (const Eigen::Index j : part.springs) within(i, j) = compliance(i, j);
  compliance = std::move(within);
  return parts;
}

}  // namespace trestle::integration
