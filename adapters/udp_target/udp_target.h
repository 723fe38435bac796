#pragma once

#include <netinet/in.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <thread>
#include <vector>

#include "adapters/plugin/site_adapter_abi.h"
#include "adapters/udp_target/seqlock_frame.h"
#include "adapters/udp_target/target_settings.h"

namespace trestle::udp_target {

/// The command in a frame to the target.
enum class Command : std::uint8_t {
  kIdle = 0,    ///< stay as you are, no drive was given yet
  kFollow = 1,  ///< follow the drives in this frame
  kHold = 2,    ///< stay where you are now
  kStop = 3,    ///< the site leaves: make the rig safe to approach
};

/// A rig behind a real-time target that exchanges frames over UDP: one sent per write, any
/// number received, of which the newest counts. Implements each function of
/// site_adapter_abi.h; always real equipment.
///
/// A frame is taken that comes from the target's address and port (the kernel drops all
/// others), has the right length, constants, checksum and, where there is a key, keyed
/// hash, finite numbers, and a sequence after the last one's and not farther than the
/// target can have counted. Frames that are lost, late, doubled or garbage change only how
/// old the measurement is; one older than `stale` is late. A target that restarted its
/// sequence has lost its state: its frames are accepted only after the next prepare().
class UdpTarget {
 public:
  /// @throws std::runtime_error  if an address is none or the port is taken
  explicit UdpTarget(TargetSettings settings);
  ~UdpTarget();
  UdpTarget(const UdpTarget&) = delete;
  UdpTarget& operator=(const UdpTarget&) = delete;

  const TargetSettings& settings() const noexcept { return settings_; }
  void describe(trestle_rig_capabilities& is) const noexcept;

  /// Waits for the first frame; hold() on another thread ends the wait. @throws
  /// std::runtime_error if none arrives, or the target reports a fault
  void prepare();
  trestle_adapter_status read(std::int64_t now_ns, trestle_sensed& sensed) noexcept;
  trestle_adapter_status write(const double* drive) noexcept;
  void hold() noexcept;
  void stop() noexcept;
  void diagnose(char* text, std::uint32_t size) const noexcept;
  /// Returns the local port of frames, for a `listen` with port 0.
  std::uint16_t port() const noexcept;

 private:
  struct Counts {
    std::uint64_t taken = 0;
    std::uint64_t lost = 0;
    std::uint64_t old = 0;
    std::uint64_t foreign = 0;
  };

  void prepare_link();
  void keep() noexcept;
  void take_all() noexcept;
  bool take(std::span<const std::uint8_t> frame) noexcept;
  const char* validate_frame(std::span<const std::uint8_t> frame) const noexcept;
  bool newer(std::uint64_t sequence) noexcept;
  double most_ahead() const noexcept;
  bool answers_us(std::span<const std::uint8_t> frame) const noexcept;
  void process_echo(std::span<const std::uint8_t> frame) noexcept;
  bool is_unacknowledged() const noexcept;
  bool encode(std::span<std::uint8_t> frame, Command command,
              const double* drive) const noexcept;
  /// Returns true if a hold was requested, or no drive was written yet.
  bool stands() const noexcept { return held_.load(std::memory_order_seq_cst) || !driven_; }
  std::uint64_t next_sequence() noexcept;
  bool send(std::span<std::uint8_t> frame, std::uint64_t number) noexcept;
  void keep_hold_frame() noexcept;
  void send_last_frame(Command command) noexcept;
  void send_last_frame(Command command, std::uint64_t number) noexcept;
  double age() const noexcept;
  void tell(char* text, std::uint32_t size) const noexcept;

  TargetSettings settings_;
  int socket_ = -1;
  sockaddr_in target_{};

  // Received frames.
  std::array<std::uint8_t, 2048> incoming_{};
  SeqLockFrame newest_;
  std::atomic<bool> any_{false};
  std::uint64_t sequence_ = 0;
  std::atomic<std::uint64_t> echo_{0};
  std::atomic<std::int64_t> echo_at_ns_{0};
  Counts counts_;
  const char* last_foreign_ = "";
  std::size_t last_foreign_size_ = 0;

  // Sent frames. Hold may be called beside write.
  std::vector<std::uint8_t> outgoing_;
  std::array<double, TRESTLE_MOST_ACTUATORS> drive_{};
  std::atomic<bool> driven_{false};
  std::array<std::vector<std::uint8_t>, 2> standing_;  // as the last drive left it
  std::atomic<int> which_{0};
  std::atomic<std::uint64_t> sent_{0};
  std::uint64_t sent_before_ = 0;  // the run; with a key an older echo is a replayed frame
  std::atomic<bool> held_{false};
  std::atomic<unsigned> holds_{0};  // asked for

  // Held by the thread that reads the socket.
  mutable std::atomic_flag taken_ = ATOMIC_FLAG_INIT;
  std::atomic<std::int64_t> ticked_at_ns_{0};
  std::atomic<bool> leaving_{false};
  std::thread keep_alive_thread_;
};

}  // namespace trestle::udp_target
