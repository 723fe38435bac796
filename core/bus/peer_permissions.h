#pragma once

#include <string>

#include "core/ports/transport.h"

namespace trestle::bus {

/// Names the kind of a received message, human-readable: "Stop", "a step command", "bytes
/// that are no message".
std::string message_kind(const ReceivedMessage& message);

/// Returns true if an observer may send it: StatusRequest, RecordRequest, Heartbeat.
bool is_allowed_for_observer(const ReceivedMessage& message) noexcept;

}  // namespace trestle::bus
