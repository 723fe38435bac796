#include "core/bus/peer_permissions.h"

#include <array>

namespace trestle::bus {
namespace {

// In the order of SessionMessage.
constexpr std::array<const char*, std::variant_size_v<SessionMessage>> kNames{
    "Hello",  "Welcome",   "Refusal", "Configure", "Configured", "Arm",   "Armed",
    "Start",  "Heartbeat", "Halt",    "Stop",      "Stopped",    "Fetch", "Chunk",
    "Resume", "Resumed",   "Ask",     "Tell",      "Busy"};

}  // namespace

std::string message_kind(const ReceivedMessage& message) {
  switch (message.kind) {
    case ReceivedMessage::Kind::kStepCommand:
      return "a step command";
    case ReceivedMessage::Kind::kStepResponse:
      return "a step response";
    case ReceivedMessage::Kind::kSession:
      return kNames[message.session.index()];
    case ReceivedMessage::Kind::kMalformed:
      break;
  }
  return "bytes that are no message";
}

bool is_allowed_for_observer(const ReceivedMessage& message) noexcept {
  return message.kind == ReceivedMessage::Kind::kSession &&
         (std::holds_alternative<StatusRequest>(message.session) ||
          std::holds_alternative<RecordRequest>(message.session) ||
          std::holds_alternative<Heartbeat>(message.session));
}

}  // namespace trestle::bus
