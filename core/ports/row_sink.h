#pragma once

#include "core/types/record.h"

namespace trestle {

/// Receives the rows of one stream (steps, ticks) from the step path.
///
/// push() copies the row into memory that was allocated before; it never waits. In mode
/// `simulated` the runner waits until there is room. In other modes a row without room is
/// counted as lost, which is a fault of the journal. Thread: the one that produces the
/// rows.
class RowSink {
 public:
  virtual ~RowSink() = default;

  /// Copies one row.
  /// @pre row.values.size() == number of channels of the stream
  /// @returns false if the row was lost, or if the record can no longer be written
  virtual bool push(const RecordRow& row) noexcept = 0;
};

}  // namespace trestle
