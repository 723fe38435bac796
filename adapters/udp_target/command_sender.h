#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "adapters/plugin/site_adapter_abi.h"
#include "adapters/udp_target/target_settings.h"
#include "adapters/udp_target/target_socket.h"

namespace trestle::udp_target {

/// What a frame that is sent tells the target to do.
enum class Command : std::uint8_t {
  kIdle = 0,    ///< stay as you are, no drive was given yet
  kFollow = 1,  ///< follow the drives in this frame
  kHold = 2,    ///< stay where you are now
  kStop = 3,    ///< the site leaves: be safe to approach
};

/// The frames that go out to the target: their numbers, the drive, and the last drive as a
/// frame that a hold sends. One thread gives drives; send_last_frame() may be called beside
/// it from any thread or signal handler. Nothing allocates or waits.
class CommandSender {
 public:
  /// Both must outlive the sender.
  CommandSender(const TargetSettings& settings, const TargetSocket& socket);

  /// Forgets the drive of the run before: no drive was given yet.
  void begin_run() noexcept;

  /// Writes a drive into the frame that send_drive() sends.
  /// @returns false if a drive does not fit its field
  bool encode_drive(const double* drive) noexcept;
  /// Makes the drive that was encoded the one that a hold sends from now on.
  void store_hold_frame() noexcept;
  bool send_drive() noexcept;
  /// Whether this run has a drive.
  bool is_driven() const noexcept { return driven_; }

  /// Sends a frame that drives nowhere. Without a command in it, only the last drive again
  /// says so; before there was one, nothing does, and nothing is sent.
  void send_last_frame(Command command) noexcept;
  void send_last_frame(Command command, std::uint64_t number) noexcept;
  bool has_command_field() const noexcept {
    return settings_.send.find(FieldRole::kCommand) != nullptr;
  }

  /// Levels of the digital outputs in each frame from now on; bit 0 the first. On any
  /// thread.
  void set_outputs(std::uint32_t closed) noexcept {
    outputs_.store(closed, std::memory_order_relaxed);
  }

  /// Takes a number: frames that take theirs later are newer.
  std::uint64_t next_sequence() noexcept {
    return sent_.fetch_add(1, std::memory_order_seq_cst) + 1;
  }
  /// Number of the last frame.
  std::uint64_t sent() const noexcept { return sent_.load(std::memory_order_relaxed); }
  /// Number of the last frame before this run; with a key, an echo up to it is a recording.
  std::uint64_t sent_before() const noexcept { return sent_before_; }

 private:
  bool encode(std::span<std::uint8_t> frame, Command command,
              const double* drive) const noexcept;
  bool send(std::span<std::uint8_t> frame, std::uint64_t number) const noexcept;

  const TargetSettings& settings_;
  const TargetSocket& socket_;
  std::vector<std::uint8_t> outgoing_;
  std::array<double, TRESTLE_MOST_ACTUATORS> drive_{};
  std::atomic<bool> driven_{false};
  std::array<std::vector<std::uint8_t>, 2> standing_;  // as the last drive left it
  std::atomic<int> which_{0};
  std::atomic<std::uint32_t> outputs_{0};
  std::atomic<std::uint64_t> sent_{0};
  std::uint64_t sent_before_ = 0;
};

}  // namespace trestle::udp_target
