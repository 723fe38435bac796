#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/ports/step_sink.h"
#include "core/types/actuator_vector.h"
#include "core/types/message.h"
#include "core/types/motion.h"
#include "core/types/record.h"
#include "core/types/snapshot.h"

namespace trestle {

/// Columns of a site's tick record: per actuator
/// `<site>.<actuator>.target_m`, `.command_m`, `.measured_m`, `.force_N` (rotations `_rad`
/// and `_Nm`). An empty `site` is left out together with its dot.
Channels tick_channels(const std::string& site,
                       const std::vector<ActuatorDescription>& actuators);

/// Makes the rows of that record. Row n pairs target and command of tick n with the read
/// that follows, which saw what they did; so it is aligned as steps are.
class TickRecord {
 public:
  /// @param sink   where the rows go; null: nowhere
  /// @param every  keep every n-th tick, n >= 1: those whose number + 1 is a multiple of n,
  ///               so that with n ticks per step the last of each step is kept
  TickRecord(int actuators, int every, StepSink* sink);

  /// @param index  number of the tick in the run
  void open(std::int64_t index, const ActuatorVector& target,
            const ActuatorVector& command) noexcept;

  /// Completes the open row, if there is one, and hands it over.
  /// @returns false where it was lost
  bool close(const Sensed& sensed) noexcept;

  /// Forgets an open row: its run is over.
  void drop() noexcept { open_ = false; }

  void save(SnapshotWriter& snapshot) const;
  void restore(SnapshotReader& snapshot);

 private:
  StepSink* sink_;
  int every_;
  std::int64_t index_ = 0;
  bool open_ = false;
  std::vector<double> row_;
};

}  // namespace trestle
