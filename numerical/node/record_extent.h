#pragma once

#include <cstdint>

#include "core/types/message.h"

namespace trestle {

/// Steps that a record has when its run is resumed: the last one of which each is known.
struct RecordExtent {
  std::int64_t used = kInitialStep;       ///< what was used of the answers
  std::int64_t whole = kInitialStep;      ///< its whole row
  std::int64_t accounted = kInitialStep;  ///< where its time went
};

}  // namespace trestle
