#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/ports/step_sink.h"
#include "core/types/message.h"
#include "core/types/record.h"
#include "core/types/time.h"

namespace trestle {

using RecordFacts = std::vector<std::pair<std::string, std::string>>;  ///< key, value

/// Keeps what a node must not lose: the streams of rows and the events of a session.
///
/// open() and close() are set-up and may take their time; failed() is cheap and for every
/// step.
class Recorder {
 public:
  virtual ~Recorder() = default;

  /// Begins the record of a session, with these facts, and one stream per name.
  /// @returns one sink per stream, in the same order, alive until close()
  /// @throws std::runtime_error where the record cannot be kept; the sentence says why
  virtual std::vector<StepSink*> open(
      const SessionId& session, const RecordFacts& facts,
      const std::vector<std::pair<std::string, Channels>>& streams) = 0;

  /// A change of state or a fault: may be called while the run goes on, never blocks.
  virtual void event(std::int64_t step, const std::string& kind,
                     const std::string& text) = 0;

  /// For a runner that may wait, between two ticks: until there is room for many more rows.
  /// @returns false where the record can no longer be kept, or `at_most` has passed
  virtual bool make_room(Duration at_most) = 0;

  /// The record can no longer be kept.
  virtual bool failed() const noexcept = 0;
  /// Why, in one sentence. @pre failed()
  virtual std::string failure() const = 0;

  /// Writes out all that was pushed. No sink may be used after it.
  virtual void close() = 0;
};

}  // namespace trestle
