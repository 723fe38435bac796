#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/snapshot.h"
#include "core/ports/row_sink.h"
#include "core/record/tick_columns.h"
#include "core/types/actuator_vector.h"
#include "core/types/motion.h"

namespace trestle::site_node {

/// Makes the rows of a site's stream `tick` (TickColumns). Row n pairs target and command
/// of tick n with the read that follows, which saw what they did; so it is aligned as steps
/// are.
class TickRows {
 public:
  /// @param sink   where the rows go; null: nowhere
  /// @param every  keep every n-th tick, n >= 1: those whose number + 1 is a multiple of n,
  ///               so that with n ticks per step the last of each step is kept
  /// @param extra         how many values the rig measures besides
  /// @param coefficients  of the compensator, behind those
  TickRows(int actuators, int every, RowSink* sink, std::size_t extra = 0,
           std::size_t coefficients = 0);

  /// @param index  number of the tick in the run
  void open(std::int64_t index, const ActuatorVector& target,
            const ActuatorVector& command) noexcept;

  /// Returns the place of the coefficients in the open row; empty if no row is open, or if
  /// it has no coefficients.
  std::span<double> coefficients() noexcept {
    return std::span<double>(row_).last(open_ ? coefficients_ : 0);
  }

  /// Completes the open row, if one exists, and passes it on.
  /// @returns false if it was lost
  bool close(const Measurement& sensed, std::span<const double> extra = {}) noexcept;

  /// Forgets an open row: its run is over.
  void drop() noexcept { open_ = false; }

  void save(SnapshotWriter& snapshot) const;
  void restore(SnapshotReader& snapshot);

 private:
  record::TickColumns columns_;
  RowSink* sink_;
  int every_;
  std::size_t extra_;
  std::size_t coefficients_;
  std::int64_t index_ = 0;
  bool open_ = false;
  std::vector<double> row_;
};

}  // namespace trestle::site_node
