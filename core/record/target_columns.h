#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "core/record/channel_list.h"
#include "core/record/column_set.h"
#include "core/types/interface_layout.h"
#include "core/types/interface_vector.h"
#include "core/types/record.h"

namespace trestle::record {

/// The columns of one site in the stream `intent` of the integrator and of the site: per
/// controlled DOF `<site>.<dof>.target_m`.
class TargetColumns {
 public:
  /// @param first  column of the row at which they begin
  TargetColumns(const std::string& site, const InterfaceLayout& layout,
                std::size_t first = 0);

  const Channels& channels() const noexcept { return channels_.channels(); }
  std::size_t end() const noexcept { return channels_.end(); }

  void pack(const InterfaceVector& displacement, std::span<double> row) const noexcept {
    displacements_.pack(displacement, row);
  }
  /// Sizes the vector.
  void unpack(std::span<const double> row, InterfaceVector& displacement) const noexcept;
  /// The row holds exactly this target, to the bit.
  bool holds(std::span<const double> row,
             const InterfaceVector& displacement) const noexcept;

 private:
  ChannelList channels_;
  ColumnSet<InterfaceVector> displacements_;
};

}  // namespace trestle::record
