#pragma once

#include "core/ports/durability.h"
#include "core/ports/record_store.h"
#include "core/ports/run_log.h"
#include "core/ports/state_store.h"

namespace trestle {

/// The ports of a record that a node receives. All outlive it.
struct Recording {
  RecordStore& store;      ///< sessions, and their rows
  RunLog& log;             ///< events, and who did what
  Durability& durability;  ///< what would survive a loss of power
  StateStore& states;      ///< the newest whole state of the node
};

}  // namespace trestle
