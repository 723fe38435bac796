#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/time.h"
#include "core/openfresco/openfresco_protocol.h"

namespace trestle::openfresco_server {

/// Which of the protocols a client speaks.
enum class ClientDialect {
  kAny,    ///< its first bytes will tell
  kSizes,  ///< sizes, then vectors: genericClient, expElement -server, GenericTCP
  kLab,    ///< an integer each way, open, setup: ShadowSite
};

/// Decodes the messages of a client of OpenSees or OpenFresco. Validates every byte: it
/// reports an invalid message once and decodes nothing after it.
///
/// Bytes go into room(), then took() says how many; then next() until it gives kNone. Its
/// memory is bounded by the sizes that the client stated, themselves bounded; it allocates
/// when it learns them and then no more.
class ClientDecoder {
 public:
  struct Settings {
    bool datagrams = false;  ///< UDP: each took() is one of them
    ClientDialect dialect = ClientDialect::kAny;
    std::int32_t controlled = 1;  ///< DOFs of the sites that have targets
    std::int32_t forces = 1;      ///< and all that have forces
    /// With one DOF, a sizes message begins like the lab protocol's integer. If only those
    /// four bytes arrive within this time, the client speaks the lab protocol.
    Duration lab_patience = std::chrono::milliseconds(100);
  };

  struct Event {
    enum class Kind {
      kNone,     ///< more bytes are needed, or time
      kReply,    ///< the client waits for `say` before it continues
      kSizes,    ///< sizes() are agreed, or new
      kVector,   ///< values() are there, `code` their first, a whole number from 0 to 999
      kLine,     ///< a line of a file that concerns us not
      kIgnored,  ///< a datagram that belongs nowhere was dropped
      kInvalid,  ///< invalid data; `problem` states why
    };
    Kind kind = Kind::kNone;
    int code = 0;
    std::span<const std::byte> say{};
    std::string problem{};
  };

  explicit ClientDecoder(const Settings& settings);

  /// Another client.
  void reset();

  /// Returns the space for the next bytes; empty: it holds more than a client that waits
  /// for answers sends.
  std::span<std::byte> room();
  void took(std::size_t bytes, TimePoint now);

  Event next(TimePoint now);

  /// A whole message is there that ends the test.
  bool holds_end() const noexcept;
  /// Returns when next() may return another message without further bytes; max: never.
  TimePoint due() const noexcept;

  ClientDialect dialect() const noexcept { return dialect_; }
  bool ready() const noexcept { return ready_; }
  bool greeted() const noexcept { return greeted_; }
  /// Part of a message is there.
  bool begun() const noexcept { return end_ > begin_; }
  const openfresco::Sizes& sizes() const noexcept { return sizes_; }
  /// Reals of a vector now: in the lab protocol not those of sizes() before the setup.
  std::int32_t data() const noexcept { return data_; }
  /// Place 0 is the code; valid until the next call of next().
  std::span<const double> values() const noexcept { return values_; }
  /// Longest datagram that the client can read.
  std::size_t datagram() const noexcept { return datagram_; }

 private:
  enum class State { kFresh, kVectors, kLabSizes, kBroken };

  Event fresh_stream(TimePoint now);
  Event fresh_datagram();
  Event vector();
  Event take_sizes(const openfresco::Sizes& sizes);
  Event broken(std::string problem);
  void speak_lab();
  void use(std::int32_t data);
  bool keeps_datagram(std::span<const std::byte> bytes) const noexcept;
  std::span<const std::byte> held() const noexcept;
  void drop(std::size_t bytes) noexcept { begin_ += bytes; }

  Settings settings_;
  State state_ = State::kFresh;
  ClientDialect dialect_ = ClientDialect::kAny;
  std::vector<std::byte> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::vector<double> values_;
  openfresco::Sizes sizes_;
  std::int32_t data_ = 0;
  std::int32_t data_to_come_ = 0;
  std::size_t datagram_ = openfresco::kDatagramBytes;
  bool ready_ = false;
  bool greeted_ = false;
  bool stray_ = false;
  bool first_ = true;  // no vector was read yet
  TimePoint since_{};  // the first bytes
};

}  // namespace trestle::openfresco_server
