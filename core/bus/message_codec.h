#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "core/ports/transport.h"
#include "core/types/message.h"

namespace trestle::bus {

/// Longest message that is sent or read [bytes].
inline constexpr std::size_t kMaxMessageBytes = std::size_t{1} << 20;

/// The vectors of the message belong together: target, feed-forward and its command have
/// one length (feed-forward may be absent); no fewer forces than measured motions; the four
/// of the actuators.
bool has_consistent_sizes(const StepCommand& message) noexcept;
bool has_consistent_sizes(const StepResponse& message) noexcept;

/// Messages as structs to and from the bytes of `wire.Envelope` (proto/wire/session.proto).
///
/// One per end of the bus, used by one thread. Step messages leave the heap alone once one
/// of the same size has passed each way. Every byte is validated; numbers are not judged: a
/// NaN passes bit for bit, and the site refuses it.
class MessageCodec {
 public:
  MessageCodec();
  ~MessageCodec();
  MessageCodec(MessageCodec&&) noexcept;
  MessageCodec& operator=(MessageCodec&&) noexcept;

  /// The bytes live until the next call of any verb.
  /// @pre has_consistent_sizes(message)
  std::span<const std::byte> encode(const StepCommand& message) noexcept;
  std::span<const std::byte> encode(const StepResponse& message) noexcept;

  /// @returns no bytes where the message cannot travel: longer than kMaxMessageBytes, or
  /// its
  ///          compensator or controller are not what their name says
  std::span<const std::byte> encode(const SessionMessage& message);

  /// Fills everything of `into` except the peer. From a Hello or Welcome of another major
  /// version it reads only the version, the site's name and its software: enough to name
  /// both versions.
  /// @returns false if the bytes are not a message; `into` is then kMalformed and states
  /// why
  bool decode(std::span<const std::byte> bytes, ReceivedMessage& into);

 private:
  struct Wire;
  std::unique_ptr<Wire> wire_;  // keeps protobuf in one room
};

}  // namespace trestle::bus
