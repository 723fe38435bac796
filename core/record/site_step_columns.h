#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/record/channel_list.h"
#include "core/record/column_set.h"
#include "core/types/interface_layout.h"
#include "core/types/message.h"
#include "core/types/record.h"

namespace trestle::record {

/// The columns of one site and one step: in the stream `result` of the site, and in
/// `result` and `opening` of the integrator. Per controlled DOF `<site>.<dof>.target_m |
/// measured_m | force_N`, then per force-only one `<site>.<dof>.force_N`, then per actuator
/// `<site>.<actuator>.target_m | command_m | measured_m | force_N`.
class SiteStepColumns {
 public:
  /// @param first  column of the row at which they begin
  SiteStepColumns(const std::string& site, const InterfaceLayout& layout,
                  const std::vector<ActuatorDescription>& actuators, std::size_t first = 0);

  const Channels& channels() const noexcept { return channels_.channels(); }
  std::size_t end() const noexcept { return channels_.end(); }

  /// A response with this report fills all its columns: one entry per actuator everywhere.
  bool fits(const ActuatorReport& report) const noexcept;

  /// When the step begins.
  void pack_target(const InterfaceVector& displacement,
                   std::span<double> row) const noexcept {
    targets_.pack(displacement, row);
  }
  /// When it ends.
  void pack_response(const StepResponse& response, std::span<double> row) const noexcept {
    responses_.pack(response, row);
  }

  /// Sizes the vector.
  void unpack_target(std::span<const double> row,
                     InterfaceVector& displacement) const noexcept;
  /// Sizes the vectors. Touches nothing of the response that has no column.
  void unpack_response(std::span<const double> row, StepResponse& response) const noexcept;

 private:
  void add_dof(const std::string& prefix, const InterfaceDof& dof);
  void add_actuator(const std::string& prefix, const ActuatorDescription& actuator);

  ChannelList channels_;
  ColumnSet<InterfaceVector> targets_;
  ColumnSet<StepResponse> responses_;
  Eigen::Index controlled_ = 0;
  Eigen::Index forces_ = 0;
  Eigen::Index actuators_ = 0;
};

}  // namespace trestle::record
