#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/types/record.h"
#include "observe/live/actuator_view.h"
#include "observe/live/dissipated_energy.h"
#include "observe/web/row_store.h"

namespace trestle::web {

/// The work on each actuator of a record up to any of its rows (live::DissipatedEnergy).
/// Only the rows themselves tell it: they are read once, from the first on, a part in each
/// call, and the sums so far are kept at places from which any other row is near.
///
/// Thread: one at a time. Blocks on the file system only.
class WorkHistory {
 public:
  /// Rows that one call reads at most.
  static constexpr std::int64_t kMostRows = 32'768;
  /// Distance of the rows of which the sums are kept.
  static constexpr std::int64_t kBetween = 4096;

  /// Positions in a row.
  struct Columns {
    std::size_t motion = 0;
    std::size_t force = 0;
  };

  explicit WorkHistory(std::vector<Columns> columns);

  std::size_t actuators() const noexcept { return columns_.size(); }

  /// Reads on towards row `index`.
  /// @param rows  of the record, always the same ones
  /// @returns the row that was reached, which values() is of: at most `index`; −1: none.
  ///          Call again if it is another
  /// @throws std::runtime_error  the journal cannot be read at this instant
  std::int64_t read_to(std::int64_t index, const RowStore& rows);

  /// Work up to the row that was reached [J], actuator by actuator.
  std::vector<double> values() const;

 private:
  void go_to_kept(std::size_t number);

  std::vector<Columns> columns_;
  std::int64_t next_ = 0;  // index of the row that is due
  std::vector<live::DissipatedEnergy> sums_;
  std::vector<std::vector<live::DissipatedEnergy>> kept_;  // before row i·kBetween
};

/// Where the motion and the force of each actuator are in a row of the steps; empty: one of
/// them is not recorded.
std::vector<WorkHistory::Columns> work_columns(
    const std::vector<live::ActuatorView>& actuators, const Channels& channels);

}  // namespace trestle::web
