#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

#include "core/base/time.h"
#include "core/bus/zmq_transport.h"
#include "core/ports/transport.h"

namespace trestle::openfresco_server {

/// The bus to sites elsewhere, or none, whose wait() ends when the gateway's client speaks,
/// too.
class InterruptibleTransport final : public Transport {
 public:
  /// Returns true once if bytes were read from the client's port that no part has
  /// processed. The port does not signal them again, so no thread may sleep then.
  using Unread = std::function<bool()>;

  /// Polls without sleeping for a client that answers within microseconds, because waking
  /// up takes longer than its answer. If polling does not pay, because the client is slow
  /// or the CPUs are busy, the next waits sleep.
  struct Spin {
    Duration longest;  ///< of each wait; zero: it sleeps at once
    /// Looks at the port. @returns whether something came
    std::function<bool()> came;
  };

  /// @param elsewhere   may be null: all sites are in this process
  /// @param descriptor  of the client's port
  /// @param unread      empty: the port is read only immediately after a wait
  InterruptibleTransport(bus::ZmqTransport* elsewhere, int descriptor, Unread unread = {},
                         Spin spin = {});

  bool send(int peer, const StepCommand& message) noexcept override {
    return elsewhere_ != nullptr && elsewhere_->send(peer, message);
  }
  bool send(int peer, const StepResponse& message) noexcept override {
    return elsewhere_ != nullptr && elsewhere_->send(peer, message);
  }
  bool send(int peer, const SessionMessage& message) override {
    return elsewhere_ != nullptr && elsewhere_->send(peer, message);
  }
  bool receive(ReceivedMessage& into) override {
    return elsewhere_ != nullptr && elsewhere_->receive(into);
  }
  void lock_peer(bool keep) noexcept override {
    if (elsewhere_ != nullptr) elsewhere_->lock_peer(keep);
  }
  void set_clock(const Clock& clock) noexcept override {
    if (elsewhere_ != nullptr) elsewhere_->set_clock(clock);
  }
  TimePoint last_send_time() const noexcept override {
    return elsewhere_ != nullptr ? elsewhere_->last_send_time() : TimePoint{};
  }
  void wait(Duration timeout) noexcept override;

  /// Number of waits that expired: nearly none with a quick client.
  std::int64_t expired() const noexcept { return expired_; }
  /// Waits that ended awake.
  std::int64_t awake() const noexcept { return awake_; }

 private:
  bool came_while_awake(std::chrono::steady_clock::time_point end);

  bus::ZmqTransport* elsewhere_;
  int descriptor_;
  Unread unread_;
  Spin spin_;
  int in_vain_ = 0;  ///< consecutive polls that expired
  int resting_ = 0;  ///< waits that are slept through before the next one awake
  std::int64_t expired_ = 0;
  std::int64_t awake_ = 0;
};

}  // namespace trestle::openfresco_server
