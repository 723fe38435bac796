#pragma once

#include <cstdint>
#include <functional>

#include "core/bus/zmq_transport.h"
#include "core/ports/transport.h"

namespace trestle {

/// The bus to sites elsewhere, or none, whose wait() ends when the gateway's client speaks,
/// too.
class AttendedBus final : public Transport {
 public:
  /// Whether bytes of the client were read off its port that nobody has looked at since;
  /// the port is silent about them, so nobody may sleep over them. True once for all of
  /// them.
  using Unread = std::function<bool()>;

  /// @param elsewhere   may be null: all sites are in this process
  /// @param descriptor  of the client's port
  /// @param unread      empty: nobody reads the port but right after a wait
  AttendedBus(ZmqTransport* elsewhere, int descriptor, Unread unread = {});

  bool send(int peer, const StepCommand& message) noexcept override {
    return elsewhere_ != nullptr && elsewhere_->send(peer, message);
  }
  bool send(int peer, const StepResponse& message) noexcept override {
    return elsewhere_ != nullptr && elsewhere_->send(peer, message);
  }
  bool send(int peer, const SessionMessage& message) override {
    return elsewhere_ != nullptr && elsewhere_->send(peer, message);
  }
  bool receive(Incoming& into) override {
    return elsewhere_ != nullptr && elsewhere_->receive(into);
  }
  void keep_peer(bool keep) noexcept override {
    if (elsewhere_ != nullptr) elsewhere_->keep_peer(keep);
  }
  void stamp_with(const Clock& clock) noexcept override {
    if (elsewhere_ != nullptr) elsewhere_->stamp_with(clock);
  }
  TimePoint handed_on() const noexcept override {
    return elsewhere_ != nullptr ? elsewhere_->handed_on() : TimePoint{};
  }
  void wait(Duration timeout) noexcept override;

  /// Waits that nobody ended: with a client that is quick there are next to none.
  std::int64_t expired() const noexcept { return expired_; }

 private:
  ZmqTransport* elsewhere_;
  int descriptor_;
  Unread unread_;
  std::int64_t expired_ = 0;
};

}  // namespace trestle
