#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/record/channel_list.h"
#include "core/record/column_set.h"
#include "core/types/actuator_vector.h"
#include "core/types/message.h"
#include "core/types/motion.h"
#include "core/types/record.h"

namespace trestle::record {

/// The columns of a site's stream `tick`: per actuator `<site>.<actuator>.target_m |
/// command_m | measured_m | force_N` (rotations `_rad` and `_Nm`), then `<site>.<name>` of
/// what the rig measures besides. An empty `site` is left out together with its dot.
class TickColumns {
 public:
  /// @param extra  what the rig measures besides
  TickColumns(const std::string& site, const std::vector<ActuatorDescription>& actuators,
              const Channels& extra = {});

  const Channels& channels() const noexcept { return channels_.channels(); }

  /// When the tick's drive goes out.
  void pack_command(const ActuatorVector& target, const ActuatorVector& command,
                    std::span<double> row) const noexcept;
  /// By the read that follows. @param extra  values that are missing leave their columns
  void pack_measurement(const Measurement& measurement, std::span<const double> extra,
                        std::span<double> row) const noexcept;

  /// The inverse of both, without the extra values; sizes the vectors.
  void unpack(std::span<const double> row, ActuatorVector& target, ActuatorVector& command,
              Measurement& measurement) const noexcept;

 private:
  ChannelList channels_;
  ColumnSet<ActuatorVector> targets_;
  ColumnSet<ActuatorVector> commands_;
  ColumnSet<Measurement> measurements_;
  Eigen::Index actuators_ = 0;
  std::size_t extra_ = 0;  ///< first column of what the rig measures besides
};

}  // namespace trestle::record
