#pragma once

#include <string>

#include "core/ports/transport.h"

namespace trestle {

/// What arrived, for people: "Stop", "a step command", "bytes that are no message".
std::string kind_of(const Incoming& message);

/// Whether an observer may send it: Ask, Fetch and Heartbeat.
bool observer_may_send(const Incoming& message) noexcept;

}  // namespace trestle
