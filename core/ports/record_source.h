#pragma once

#include "core/types/message.h"

namespace trestle {

/// Returns the records that a site keeps, in pieces.
///
/// Thread: the one that drives the node, between tests only: it reads files.
class RecordSource {
 public:
  virtual ~RecordSource() = default;

  /// Returns the requested piece, or a `problem`. Errors of files do not throw.
  virtual Chunk piece(const Fetch& fetch) = 0;
};

}  // namespace trestle
