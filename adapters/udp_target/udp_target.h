#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

#include "adapters/plugin/site_adapter_abi.h"
#include "adapters/udp_target/command_sender.h"
#include "adapters/udp_target/measurement_receiver.h"
#include "adapters/udp_target/target_settings.h"
#include "adapters/udp_target/target_socket.h"

namespace trestle::udp_target {

/// A rig behind a real-time target that speaks frames over UDP: one frame out per write,
/// any number of frames in, of which the newest counts. Does what site_adapter_abi.h says
/// of each function; always real equipment.
///
/// Frames that are lost, late, doubled or garbage change only how old the measurement is;
/// one older than `stale` is late. A target that began to count again lost its state: its
/// frames are taken after the next prepare() only. While no thread reads or writes, a
/// thread of the rig keeps the target's watchdog from acting.
class UdpTarget {
 public:
  /// @throws std::runtime_error  where an address is none or the port is taken
  explicit UdpTarget(TargetSettings settings);
  ~UdpTarget();
  UdpTarget(const UdpTarget&) = delete;
  UdpTarget& operator=(const UdpTarget&) = delete;

  const TargetSettings& settings() const noexcept { return settings_; }
  void describe(trestle_rig_capabilities& is) const noexcept { describe(settings_, is); }
  /// What the settings say of the rig; it need not be opened.
  static void describe(const TargetSettings& settings,
                       trestle_rig_capabilities& is) noexcept;

  /// Waits for the first frame; hold() on another thread ends the wait. @throws
  /// std::runtime_error  where none comes, or the target says that it is not well
  void prepare();
  trestle_adapter_status read(std::int64_t now_ns, trestle_sensed& sensed) noexcept;
  trestle_adapter_status write(const double* drive) noexcept;
  void hold() noexcept;
  void stop() noexcept;
  /// Its digital outputs are fields of the frames that it sends. Digital inputs it has
  /// none: a contact is an auxiliary channel with the unit 0/1.
  void count_contacts(std::uint32_t& inputs, std::uint32_t& outputs) const noexcept;
  void inputs(trestle_inputs& /*said*/) const noexcept {}
  /// In the next frame.
  void set_outputs(std::uint32_t closed) noexcept { sender_.set_outputs(closed); }
  void diagnose(char* text, std::uint32_t size) const noexcept;
  /// Where frames come in, of a `listen` with port 0.
  std::uint16_t port() const noexcept { return socket_.port(); }

 private:
  void prepare_link();
  void keep_alive() noexcept;
  /// It was told to hold, or was not driven yet.
  bool stands() const noexcept {
    return held_.load(std::memory_order_seq_cst) || !sender_.is_driven();
  }

  const TargetSettings settings_;
  TargetSocket socket_;
  CommandSender sender_;
  MeasurementReceiver receiver_;

  // Hold may be called beside write.
  std::atomic<bool> held_{false};
  std::atomic<unsigned> holds_{0};  // asked for

  // Whose turn it is to listen.
  mutable std::atomic_flag taken_ = ATOMIC_FLAG_INIT;
  std::atomic<std::int64_t> ticked_at_ns_{0};
  std::atomic<bool> leaving_{false};
  std::thread keep_alive_thread_;
};

}  // namespace trestle::udp_target
