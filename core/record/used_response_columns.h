#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "core/ports/numerical_substructure.h"
#include "core/record/channel_list.h"
#include "core/record/column_set.h"
#include "core/types/interface_layout.h"
#include "core/types/record.h"

namespace trestle::record {

/// The columns of one site in the integrator's stream `answer`: what was used of its
/// responses. Per controlled DOF `<site>.<dof>.measured_m | force_N`, then per force-only
/// one `<site>.<dof>.force_N`.
class UsedResponseColumns {
 public:
  /// @param first  column of the row at which they begin
  UsedResponseColumns(const std::string& site, const InterfaceLayout& layout,
                      std::size_t first = 0);

  const Channels& channels() const noexcept { return channels_.channels(); }
  std::size_t end() const noexcept { return channels_.end(); }

  void pack(const SiteResponse& response, std::span<double> row) const noexcept {
    responses_.pack(response, row);
  }
  /// @pre the vectors have their sizes
  void unpack(std::span<const double> row, SiteResponse& response) const noexcept {
    responses_.unpack(row, response);
  }

 private:
  ChannelList channels_;
  ColumnSet<SiteResponse> responses_;
};

}  // namespace trestle::record
