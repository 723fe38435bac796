#include "core/bus/peer_rights.h"

#include <array>

namespace trestle {
namespace {

// In the order of SessionMessage.
constexpr std::array<const char*, std::variant_size_v<SessionMessage>> kNames{
    "Hello",  "Welcome",   "Refusal", "Configure", "Configured", "Arm",   "Armed",
    "Start",  "Heartbeat", "Halt",    "Stop",      "Stopped",    "Fetch", "Chunk",
    "Resume", "Resumed",   "Ask",     "Tell",      "Busy"};

}  // namespace

std::string kind_of(const Incoming& message) {
  switch (message.kind) {
    case Incoming::Kind::kStepCommand:
      return "a step command";
    case Incoming::Kind::kStepResponse:
      return "a step response";
    case Incoming::Kind::kSession:
      return kNames[message.session.index()];
    case Incoming::Kind::kMalformed:
      break;
  }
  return "bytes that are no message";
}

bool observer_may_send(const Incoming& message) noexcept {
  return message.kind == Incoming::Kind::kSession &&
         (std::holds_alternative<Ask>(message.session) ||
          std::holds_alternative<Fetch>(message.session) ||
          std::holds_alternative<Heartbeat>(message.session));
}

}  // namespace trestle
