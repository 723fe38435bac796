#pragma once

#include <string>

#include "core/base/time.h"
#include "core/ports/clock.h"
#include "core/types/message.h"

namespace trestle {

/// What a node received last. Reused, so that a step's message finds its room ready.
struct Incoming {
  enum class Kind {
    kStepCommand,
    kStepResponse,
    kSession,
    kMalformed,  ///< bytes that are no message of ours; `problem` says why
  };
  Kind kind = Kind::kMalformed;
  int peer = 0;  ///< of whom: at the integrator the site's place in the test; at a site 0
  StepCommand command;     ///< valid where kind says so
  StepResponse response;   ///< valid where kind says so
  SessionMessage session;  ///< valid where kind says so
  std::string problem;     ///< valid where kind says so
};

/// One node's end of the bus.
///
/// All verbs are called by the thread that drives the node. Nothing blocks but wait().
/// Messages of one peer arrive in order, or not at all.
class Transport {
 public:
  virtual ~Transport() = default;

  /// @returns false where the message could not be queued: peer gone, or queue full.
  /// Whoever
  ///          waits for the answer has a deadline, so nobody needs to retry here.
  virtual bool send(int peer, const StepCommand& message) noexcept = 0;
  virtual bool send(int peer, const StepResponse& message) noexcept = 0;
  virtual bool send(int peer, const SessionMessage& message) = 0;

  /// Takes the next message that has arrived.
  /// @returns false where there is none; `into` is then unchanged
  virtual bool receive(Incoming& into) = 0;

  /// At a site, while `keep` holds: nobody but the integrator that spoke last is heard.
  /// Otherwise whoever speaks is peer 0 from then on.
  virtual void keep_peer(bool keep) noexcept = 0;

  /// From now on it keeps, of each step message, the time right before it was handed on.
  virtual void stamp_with(const Clock& /*clock*/) noexcept {}
  /// That time of the step message sent last; zero where it is not kept, or where nothing
  /// is encoded.
  virtual TimePoint handed_on() const noexcept { return {}; }

  /// Returns when a message is there or `timeout` has passed, whichever is first.
  virtual void wait(Duration timeout) noexcept = 0;
};

}  // namespace trestle
