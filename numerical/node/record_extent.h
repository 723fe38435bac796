#pragma once

#include <cstdint>
#include <optional>

#include "core/types/message.h"
#include "core/types/record.h"

namespace trestle::integrator_node {

/// The extent of stream `health` in a record.
struct HealthExtent {
  Channels channels;      ///< empty: a new record
  std::int64_t last = 0;  ///< number of the last heartbeat; 0: none
  double time = 0.0;      ///< of its row [s]
};

/// The extent of a record when its run is resumed: the last step of each kind.
struct RecordExtent {
  std::int64_t used = kInitialStep;       ///< last step with used responses
  std::int64_t whole = kInitialStep;      ///< last step with a complete row
  std::int64_t accounted = kInitialStep;  ///< last step with accounts of its time
  /// Nothing: the record has no such stream.
  std::optional<HealthExtent> health = HealthExtent{};
  /// What lies behind these steps stays in the record: no test continues it.
  bool keeps_all = false;
};

}  // namespace trestle::integrator_node
