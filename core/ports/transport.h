#pragma once

#include <string>

#include "core/base/time.h"
#include "core/ports/clock.h"
#include "core/types/message.h"

namespace trestle {

/// The last message that a node received. Reused, so that a message of a step does not
/// allocate.
struct ReceivedMessage {
  /// Kind of a message.
  enum class Kind {
    kStepCommand,   ///< `command` is valid
    kStepResponse,  ///< `response` is valid
    kSession,       ///< `session` is valid
    kMalformed,     ///< the bytes are not a message; `problem` says why
  };
  Kind kind = Kind::kMalformed;  ///< decides which of the members below is valid
  int peer =
      0;  ///< sender: at the integrator the index of the site in the test; at a site 0
  StepCommand command;     ///< valid for kStepCommand
  StepResponse response;   ///< valid for kStepResponse
  SessionMessage session;  ///< valid for kSession
  std::string problem;     ///< valid for kMalformed
};

/// One node's end of the bus.
///
/// Thread: the one that drives the node. Only wait() blocks. Messages of one peer arrive in
/// order, or not at all.
class Transport {
 public:
  virtual ~Transport() = default;

  /// Queues a command of a step.
  /// @param peer     index of the site at the integrator; 0 at a site
  /// @param message  is copied
  /// @returns false if the message was not queued, because the peer is gone or the queue is
  /// full. Do
  ///          not retry: the wait for the response has a deadline.
  virtual bool send(int peer, const StepCommand& message) noexcept = 0;
  /// Queues a response to a step, as send() of a command does.
  virtual bool send(int peer, const StepResponse& message) noexcept = 0;
  /// Queues a message of the session, as send() of a command does; may allocate.
  virtual bool send(int peer, const SessionMessage& message) = 0;

  /// Removes the next received message from the queue.
  /// @returns false if there is none; `into` is then unchanged
  virtual bool receive(ReceivedMessage& into) = 0;

  /// At a site with `keep`: accepts messages only from the integrator that sent the last
  /// one. Without it, the sender of each message becomes peer 0.
  virtual void lock_peer(bool keep) noexcept = 0;

  /// Sets the clock that stamps each message of a step immediately before it is sent.
  virtual void set_clock(const Clock& /*clock*/) noexcept {}
  /// Returns the stamp of the last sent message of a step; zero if there is none.
  virtual TimePoint last_send_time() const noexcept { return {}; }

  /// Blocks until a message is received or `timeout` has passed.
  virtual void wait(Duration timeout) noexcept = 0;
};

}  // namespace trestle
