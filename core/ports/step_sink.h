#pragma once

#include "core/types/record.h"

namespace trestle {

/// Takes the rows of one record (steps, ticks) off the hands of the step path.
///
/// push() copies the row into room that was made beforehand; it never waits. The runner
/// sees to it that there is room where the mode allows waiting (`simulated`); elsewhere a
/// row without room is counted, and the count is a fault of the journal.
class StepSink {
 public:
  virtual ~StepSink() = default;

  /// @pre row.values.size() == number of the record's channels
  /// @returns false where the row was lost, or where the record can no longer be kept at
  /// all
  virtual bool push(const RecordRow& row) noexcept = 0;
};

}  // namespace trestle
