#pragma once

#include "core/ports/journal_capacity.h"
#include "core/ports/recording.h"

namespace trestle {

/// One object behind all ports of a record, for its owner. A node is handed
/// its recording().
class Recorder : public RecordStore,
                 public RunLog,
                 public Durability,
                 public StateStore,
                 public JournalCapacity {
 public:
  /// What a node is handed of it.
  Recording recording() noexcept { return {*this, *this, *this, *this}; }
};

}  // namespace trestle
