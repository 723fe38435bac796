#pragma once

#include "core/ports/durability.h"
#include "core/ports/record_store.h"
#include "core/ports/run_log.h"
#include "core/ports/state_store.h"

namespace trestle {

/// What a node is handed to keep its record. All outlive it.
struct Recording {
  RecordStore& store;      ///< rows of a session, stream by stream
  RunLog& log;             ///< what happens in it, in words
  Durability& durability;  ///< how safe its rows are
  StateStore& states;      ///< the state from which the node continues
};

}  // namespace trestle
