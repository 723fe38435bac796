#pragma once

#include <deque>
#include <functional>
#include <span>

#include "core/bus/message_codec.h"
#include "core/ports/transport.h"
#include "tests/fuzz/promise.h"

namespace trestle::fuzz {

/// Brings a node what the fuzzer has thought of, and sees that what the node says can
/// travel.
class FuzzedTransport final : public Transport {
 public:
  bool send(int peer, const StepCommand& message) noexcept override {
    promise(bus::has_consistent_sizes(message), "a command that is sent is consistent");
    if (heard_command) heard_command(peer, message);
    return true;
  }
  bool send(int /*peer*/, const StepResponse& message) noexcept override {
    promise(bus::has_consistent_sizes(message), "a response that is sent is consistent");
    ++responses;
    return true;
  }
  bool send(int /*peer*/, const SessionMessage& message) override {
    promise(!codec_.encode(message).empty(), "a message that is sent can travel");
    return true;
  }
  bool receive(ReceivedMessage& into) override {
    if (waiting_.empty()) return false;
    into = waiting_.front();
    waiting_.pop_front();
    return true;
  }
  void lock_peer(bool /*keep*/) noexcept override {}
  void wait(Duration /*timeout*/) noexcept override {}

  void arrives(int peer, const SessionMessage& message) {
    ReceivedMessage incoming;
    incoming.kind = ReceivedMessage::Kind::kSession;
    incoming.peer = peer;
    incoming.session = message;
    waiting_.push_back(incoming);
  }
  void arrives(int peer, const StepCommand& message) {
    ReceivedMessage incoming;
    incoming.kind = ReceivedMessage::Kind::kStepCommand;
    incoming.peer = peer;
    incoming.command = message;
    waiting_.push_back(incoming);
  }
  void arrives(int peer, const StepResponse& message) {
    ReceivedMessage incoming;
    incoming.kind = ReceivedMessage::Kind::kStepResponse;
    incoming.peer = peer;
    incoming.response = message;
    waiting_.push_back(incoming);
  }
  /// What the socket would make of these bytes.
  ReceivedMessage read(int peer, std::span<const std::uint8_t> bytes) {
    ReceivedMessage incoming;
    codec_.decode(std::as_bytes(bytes), incoming);
    incoming.peer = peer;
    return incoming;
  }
  void arrives(const ReceivedMessage& incoming) { waiting_.push_back(incoming); }

  std::function<void(int peer, const StepCommand&)> heard_command;
  long responses = 0;

 private:
  bus::MessageCodec codec_;
  std::deque<ReceivedMessage> waiting_;
};

}  // namespace trestle::fuzz
