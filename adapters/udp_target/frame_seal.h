#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace trestle::udp_target {

/// The sender of a frame, which its hash covers, so that a frame cannot be returned as a
/// reply.
enum class Sender : std::uint8_t { kSite = 'S', kTarget = 'T' };

/// The keyed hash behind each frame where a key is agreed: BLAKE2b (RFC 7693) of 16 bytes,
/// keyed with 32, over one byte that names the sender, and then the frame.
class FrameSeal {
 public:
  static constexpr std::size_t kKeyBytes = 32;
  static constexpr std::size_t kHashBytes = 16;
  using Key = std::array<std::uint8_t, kKeyBytes>;

  /// No key: frames are as they are.
  FrameSeal() = default;
  explicit FrameSeal(const Key& key) : key_(key), on_(true) {}

  bool on() const noexcept { return on_; }
  /// Bytes behind the frame.
  std::size_t size() const noexcept { return on_ ? kHashBytes : 0; }

  // Neither allocates nor blocks. @pre `sealed` is a frame and size() bytes behind it

  void seal(std::span<std::uint8_t> sealed, Sender sender) const noexcept;
  bool genuine(std::span<const std::uint8_t> sealed, Sender sender) const noexcept;

 private:
  using Hash = std::array<std::uint8_t, kHashBytes>;
  Hash hash_of(std::span<const std::uint8_t> frame, Sender sender) const noexcept;

  Key key_{};
  bool on_ = false;
};

/// @param path  of a file with 64 hexadecimal digits, which no other user may read
/// @throws std::runtime_error  `key: sentence`
FrameSeal::Key read_frame_key(const std::string& path);

}  // namespace trestle::udp_target
