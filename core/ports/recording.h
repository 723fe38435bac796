#pragma once

#include "core/ports/durability.h"
#include "core/ports/record_store.h"
#include "core/ports/run_log.h"
#include "core/ports/state_store.h"

namespace trestle {

/// What a node is handed to keep its record. All outlive it.
struct Recording {
  RecordStore& store;
  RunLog& log;
  Durability& durability;
  StateStore& states;
};

}  // namespace trestle
