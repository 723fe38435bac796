#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/record/channel_list.h"
#include "core/record/column_set.h"
#include "core/types/drive_in_force.h"
#include "core/types/message.h"
#include "core/types/record.h"

namespace trestle::record {

/// The columns of a site's stream `drive`, of real equipment: per actuator
/// `<site>.<actuator>.target_m | command_m | drive_m | measured_m` (rotations `_rad`), the
/// last by the read before. An empty `site` is left out together with its dot.
class DriveColumns {
 public:
  static constexpr std::size_t kPerActuator = 4;

  DriveColumns(const std::string& site, const std::vector<ActuatorDescription>& actuators);

  const Channels& channels() const noexcept { return channels_.channels(); }

  void pack(const DriveInForce& drive, std::span<double> row) const noexcept {
    drives_.pack(drive, row);
  }
  /// Sizes the vectors.
  void unpack(std::span<const double> row, DriveInForce& drive) const noexcept;

 private:
  ChannelList channels_;
  ColumnSet<DriveInForce> drives_;
  Eigen::Index actuators_ = 0;
};

}  // namespace trestle::record
