#pragma once

#include <string>

#include "core/types/message.h"

namespace trestle::wire {
class Envelope;
}  // namespace trestle::wire

namespace trestle::bus {

/// The part of Codec for session messages. Nothing here is on the step path.

/// 16 bytes.
void write_session_id(const SessionId& from, std::string* to);

/// No bytes mean no session: all zero.
/// @returns false if there are neither 16 nor none
bool read_session_id(const std::string& from, SessionId& to) noexcept;

/// @returns false if compensator or controller are not what their name says
bool write_session(const SessionMessage& from, wire::Envelope& to);

/// @returns what is wrong with the message; empty: nothing
std::string read_session(const wire::Envelope& from, SessionMessage& to);

}  // namespace trestle::bus
