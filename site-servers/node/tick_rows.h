#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/snapshot.h"
#include "core/ports/row_sink.h"
#include "core/types/actuator_vector.h"
#include "core/types/message.h"
#include "core/types/motion.h"
#include "core/types/record.h"

namespace trestle {

/// Columns of a site's tick record: per actuator
/// `<site>.<actuator>.target_m`, `.command_m`, `.measured_m`, `.force_N` (rotations `_rad`
/// and `_Nm`). An empty `site` is left out together with its dot. Behind them what the rig
/// measures besides, `<site>.<name>`.
Channels tick_channels(const std::string& site,
                       const std::vector<ActuatorDescription>& actuators,
                       const Channels& extra = {});

/// Columns of a site's record of drives: per actuator `<site>.<actuator>.target_m`,
/// `.command_m`, `.drive_m`, `.measured_m` (rotations `_rad`), the last by the read before.
Channels drive_channels(const std::string& site,
                        const std::vector<ActuatorDescription>& actuators);

/// Makes the rows of that record. Row n pairs target and command of tick n with the read
/// that follows, which saw what they did; so it is aligned as steps are.
class TickRows {
 public:
  /// @param sink   where the rows go; null: nowhere
  /// @param every  keep every n-th tick, n >= 1: those whose number + 1 is a multiple of n,
  ///               so that with n ticks per step the last of each step is kept
  /// @param extra  how many values the rig measures besides
  TickRows(int actuators, int every, RowSink* sink, std::size_t extra = 0);

  /// @param index  number of the tick in the run
  void open(std::int64_t index, const ActuatorVector& target,
            const ActuatorVector& command) noexcept;

  /// Completes the open row, if there is one, and hands it over.
  /// @returns false where it was lost
  bool close(const Measurement& sensed, std::span<const double> extra = {}) noexcept;

  /// Forgets an open row: its run is over.
  void drop() noexcept { open_ = false; }

  void save(SnapshotWriter& snapshot) const;
  void restore(SnapshotReader& snapshot);

 private:
  RowSink* sink_;
  int every_;
  std::int64_t index_ = 0;
  bool open_ = false;
  std::size_t extra_;
  std::vector<double> row_;
};

}  // namespace trestle
