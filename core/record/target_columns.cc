#include "core/record/target_columns.h"

#include <bit>
#include <cstdint>

#include "core/session/channel_names.h"

namespace trestle::record {

TargetColumns::TargetColumns(const std::string& site, const InterfaceLayout& layout,
                             std::size_t first)
    : channels_(first) {
  Eigen::Index entry = 0;
  for (const InterfaceDof& dof : layout)
    if (dof.role == DofRole::kControlled)
      displacements_.add(
          channels_.add(session::motion_channel(site + "." + dof.name, "target", dof.kind)),
          entry++);
}

void TargetColumns::unpack(std::span<const double> row,
                           InterfaceVector& displacement) const noexcept {
  displacement.resize(static_cast<Eigen::Index>(channels().size()));
  displacements_.unpack(row, displacement);
}

bool TargetColumns::holds(std::span<const double> row,
                          const InterfaceVector& displacement) const noexcept {
  if (row.size() < end()) return false;
  InterfaceVector recorded;
  unpack(row, recorded);
  if (recorded.size() != displacement.size()) return false;
  for (Eigen::Index i = 0; i < recorded.size(); ++i)
    if (std::bit_cast<std::uint64_t>(recorded[i]) !=
        std::bit_cast<std::uint64_t>(displacement[i]))
      return false;
  return true;
}

}  // namespace trestle::record
