#pragma once

#include "core/types/message.h"

namespace trestle {

/// Hands out the records that a site has kept, piece by piece.
///
/// Called between tests only, by the thread that drives the node: it reads files.
class RecordSource {
 public:
  virtual ~RecordSource() = default;

  /// @returns the piece that was asked for, or its `problem`; never throws what a file can
  /// do
  virtual Chunk piece(const Fetch& fetch) = 0;
};

}  // namespace trestle
