#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "adapters/plugin/site_adapter_abi.h"
#include "adapters/udp_target/command_sender.h"
#include "adapters/udp_target/seqlock_frame.h"
#include "adapters/udp_target/target_settings.h"
#include "adapters/udp_target/target_socket.h"

namespace trestle::udp_target {

/// The frames that come in from the target: keeps the newest measurement, and counts what
/// was lost, old or not the target's.
///
/// A frame is taken if it has the right length, constants, checksum and, with a key, keyed
/// hash, finite numbers, and a sequence after the last one's and not farther than the
/// target can have counted. One thread at a time calls begin_run(), take_all() and
/// diagnose(); the others read what was published last. Nothing allocates or waits.
class MeasurementReceiver {
 public:
  /// All three must outlive the receiver.
  MeasurementReceiver(const TargetSettings& settings, const TargetSocket& socket,
                      const CommandSender& sender);

  /// Forgets the frames of the run before.
  void begin_run() noexcept;
  /// Takes all frames that came since the last call.
  void take_all() noexcept;

  /// Whether a frame of this run was taken.
  bool has_frame() const noexcept { return any_; }
  /// Status in the newest frame: 0 is well.
  std::uint64_t status() const noexcept { return newest_.status(); }
  /// Copies the newest measurement.
  /// @returns false if the frame changed meanwhile: what was copied is worthless
  bool read(trestle_sensed& sensed, SeqLockFrame::Head& head) const noexcept;

  /// Counts the time without an echo from now on.
  void restart_echo_time() noexcept;
  /// Whether our frames do not arrive any more, though the target's do.
  bool is_unacknowledged() const noexcept;

  /// Writes one line on the state of the link.
  void diagnose(char* text, std::uint32_t size) const noexcept;

 private:
  struct Counts {
    std::uint64_t taken = 0;
    std::uint64_t lost = 0;
    std::uint64_t old = 0;
    std::uint64_t foreign = 0;
  };

  bool take(std::span<const std::uint8_t> frame) noexcept;
  const char* validate_frame(std::span<const std::uint8_t> frame) const noexcept;
  bool newer(std::uint64_t sequence) noexcept;
  double most_ahead() const noexcept;
  bool answers_us(std::span<const std::uint8_t> frame) const noexcept;
  void process_echo(std::span<const std::uint8_t> frame) noexcept;
  double age() const noexcept;

  const TargetSettings& settings_;
  const TargetSocket& socket_;
  const CommandSender& sender_;
  std::array<std::uint8_t, 2048> incoming_{};
  SeqLockFrame newest_;
  std::atomic<bool> any_{false};
  std::uint64_t sequence_ = 0;
  std::atomic<std::uint64_t> echo_{0};
  std::atomic<std::int64_t> echo_at_ns_{0};
  Counts counts_;
  const char* last_foreign_ = "";
  std::size_t last_foreign_size_ = 0;
};

}  // namespace trestle::udp_target
