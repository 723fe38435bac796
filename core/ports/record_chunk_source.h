#pragma once

#include "core/types/message.h"

namespace trestle {

/// Returns the records that a site keeps, in pieces.
///
/// Thread: the one that drives the node, between tests only: it reads files.
class RecordChunkSource {
 public:
  virtual ~RecordChunkSource() = default;

  /// Returns the requested piece, or a `problem`. Errors of files do not throw.
  virtual RecordChunk read_chunk(const RecordRequest& fetch) = 0;
};

}  // namespace trestle
