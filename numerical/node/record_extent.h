#pragma once

#include <cstdint>

#include "core/types/message.h"

namespace trestle::integrator_node {

/// The extent of a record when its run is resumed: the last step of each kind.
struct RecordExtent {
  std::int64_t used = kInitialStep;       ///< last step with used responses
  std::int64_t whole = kInitialStep;      ///< last step with a complete row
  std::int64_t accounted = kInitialStep;  ///< last step with accounts of its time
};

}  // namespace trestle::integrator_node
