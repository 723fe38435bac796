#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/base/result.h"

namespace trestle::openfresco {

/// The wire of OpenSees and OpenFresco: no framing, no length, no number of a message; both
/// ends know from what went before how many bytes come next. Little-endian integers of 4
/// bytes and reals of 8. docs/howto/use-openfresco.md tells the protocols; the codes and
/// the order of responses are those of OpenSees SRC/element/generic/GenericClient.h and
/// OpenFresco SRC/FrescoGlobals.h.

/// Place 0 of every vector from client to server, sent as a real.
enum class MessageCode {
  kOpen = 1,
  kSetup = 2,
  kTrial = 3,    ///< a command to move; never answered
  kExecute = 4,  ///< unused
  kCommit = 5,   ///< never answered
  kMeasured = 6,
  kDisplacement = 7,
  kVelocity = 8,
  kAcceleration = 9,
  kForce = 10,
  kTime = 11,
  kInitialStiffness = 12,
  kTangentStiffness = 13,
  kDamping = 14,
  kMass = 15,
  kEnd = 99,
};

/// How many values of each response share a vector; they stand in this order.
struct Responses {
  std::int32_t displacement = 0;
  std::int32_t velocity = 0;
  std::int32_t acceleration = 0;
  std::int32_t force = 0;
  std::int32_t time = 0;

  std::int64_t all() const noexcept {
    return std::int64_t{displacement} + velocity + acceleration + force + time;
  }
  std::size_t velocity_at() const noexcept {
    return static_cast<std::size_t>(displacement);
  }
  std::size_t acceleration_at() const noexcept {
    return velocity_at() + static_cast<std::size_t>(velocity);
  }
  std::size_t force_at() const noexcept {
    return acceleration_at() + static_cast<std::size_t>(acceleration);
  }
  std::size_t time_at() const noexcept {
    return force_at() + static_cast<std::size_t>(force);
  }
  bool operator==(const Responses&) const = default;
};

/// The first message of a client: 11 integers.
struct Sizes {
  Responses control;      ///< client to server, behind the code
  Responses measured;     ///< server to client, from place 0
  std::int32_t data = 0;  ///< N, reals of every vector message
  bool operator==(const Sizes&) const = default;
};

inline constexpr std::size_t kIntegerBytes = 4;
inline constexpr std::size_t kRealBytes = 8;
inline constexpr std::size_t kResponsesBytes = 5 * kIntegerBytes;
inline constexpr std::size_t kSizesBytes = 11 * kIntegerBytes;
/// The default of N, until a setup states another.
inline constexpr std::int32_t kDefaultDataSize = 256;
inline constexpr std::int32_t kLargestData = 100000;
/// One line of GenericTCP's -initFile: a byte 2 and the text.
inline constexpr std::size_t kInitLineBytes = 16385;
/// Longer messages are split into datagrams of this size.
inline constexpr std::size_t kDatagramBytes = 9126;
inline constexpr std::byte kGreeting{'a'};
inline constexpr std::byte kGreetingAnswer{'b'};

std::int32_t read_integer(std::span<const std::byte, kIntegerBytes> bytes) noexcept;
double read_real(std::span<const std::byte, kRealBytes> bytes) noexcept;
void write_integer(std::int32_t value, std::span<std::byte, kIntegerBytes> bytes) noexcept;
void write_real(double value, std::span<std::byte, kRealBytes> bytes) noexcept;
/// Converts all reals in one operation; `bytes` contains as many reals as `values`.
void read_reals(std::span<const std::byte> bytes, std::span<double> values) noexcept;
void write_reals(std::span<const double> values, std::span<std::byte> bytes) noexcept;

/// @pre bytes.size() >= kResponsesBytes
Responses read_responses(std::span<const std::byte> bytes) noexcept;
/// @pre bytes.size() >= kSizesBytes
Sizes read_sizes(std::span<const std::byte> bytes) noexcept;
void write_responses(const Responses& responses, std::span<std::byte> bytes) noexcept;
void write_sizes(const Sizes& sizes, std::span<std::byte> bytes) noexcept;

/// Returns what is wrong with `sizes` for a site with `controlled` DOFs and `forces`, or
/// empty: negative or excessive counts, vectors too short for them, or a force command.
std::string problem_of(const Sizes& sizes, std::int32_t controlled, std::int32_t forces);

}  // namespace trestle::openfresco
