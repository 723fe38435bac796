#pragma once

#include "core/base/time.h"

namespace trestle {

/// Room for rows, for a runner that may wait between two ticks.
class JournalCapacity {
 public:
  virtual ~JournalCapacity() = default;

  /// Waits until many more rows have room.
  /// @returns false if the record can no longer be written, or after `at_most`
  virtual bool wait_for_space(Duration at_most) = 0;
};

}  // namespace trestle
