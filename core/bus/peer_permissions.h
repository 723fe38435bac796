#pragma once

#include <string>

#include "core/ports/transport.h"

namespace trestle {

/// Names the kind of a received message, human-readable: "Stop", "a step command", "bytes
/// that are no message".
std::string message_kind(const ReceivedMessage& message);

/// Whether an observer may send it: Ask, Fetch and Heartbeat.
bool is_allowed_for_observer(const ReceivedMessage& message) noexcept;

}  // namespace trestle
