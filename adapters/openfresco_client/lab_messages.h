#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "adapters/openfresco_client/lab_settings.h"
#include "core/openfresco/openfresco_protocol.h"

namespace trestle::openfresco {

/// The tag of our one specimen at a laboratory server.
inline constexpr double kOurTag = 1.0;

/// The number at an index of a message.
double real_at(std::span<const std::byte> bytes, std::size_t index) noexcept;
void set_real(std::span<std::byte> bytes, std::size_t index, double value) noexcept;

/// The bytes of the messages to a server and of its reply, in the server's units. Allocates
/// in its constructor only.
class LabMessages {
 public:
  explicit LabMessages(const LabSettings& settings);

  /// Time 0 of the messages that follow. @param now_ns  monotonic
  void begin(std::int64_t now_ns) noexcept { begun_at_ns_ = now_ns; }

  /// Writes a message. Every message carries the whole state.
  /// @param index  of the message, for several that leave in one piece: at most 2
  void write_state(std::size_t index, MessageCode code, std::span<const double> target,
                   std::int64_t now_ns) noexcept;
  /// Writes the last message of a session, as OpenFresco's own clients do: the code and,
  /// where ShadowSite puts it, the tag that open gave; no state.
  void write_end(std::size_t index) noexcept;
  std::span<std::byte> message(std::size_t index) noexcept {
    return std::span(out_).subspan(index * in_.size(), in_.size());
  }
  /// The first messages, one behind the other.
  std::span<const std::byte> first(std::size_t messages) noexcept {
    return std::span(out_).first(messages * in_.size());
  }

  /// The whole reply.
  std::span<std::byte> reply() noexcept { return in_; }
  /// What of the reply did not come yet.
  std::span<std::byte> missing() noexcept { return std::span(in_).subspan(came_); }
  void add(std::size_t bytes) noexcept { came_ += bytes; }
  bool is_whole() const noexcept { return came_ == in_.size(); }
  void clear_reply() noexcept { came_ = 0; }

  /// Whether a reply says where the specimen stands. An element server cannot.
  bool has_displacement() const noexcept { return sizes_.measured.displacement > 0; }
  /// Of the reply. [m | rad]
  double displacement(std::size_t actuator) const noexcept;
  /// Of the reply. [N | N·m]
  double force(std::size_t actuator) const noexcept;

 private:
  bool rotates(std::size_t actuator) const noexcept;
  double length_unit(std::size_t actuator) const noexcept;

  const LabSettings& settings_;
  const Sizes sizes_;
  std::vector<std::byte> out_;  // room for commit, trial and question
  std::vector<std::byte> in_;
  std::size_t came_ = 0;
  std::int64_t begun_at_ns_ = 0;
};

}  // namespace trestle::openfresco
