#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "adapters/modbus_tcp/command_box.h"
#include "adapters/modbus_tcp/plc_settings.h"
#include "adapters/modbus_tcp/plc_thread.h"
#include "adapters/modbus_tcp/register_table.h"
#include "adapters/modbus_tcp/wake_signal.h"
#include "adapters/plugin/fault_message.h"
#include "adapters/plugin/site_adapter_abi.h"

namespace trestle::modbus_tcp {

/// A rig behind a PLC or servo controller that speaks Modbus/TCP, for slow tests. Does what
/// site_adapter_abi.h says of each function; always real equipment.
///
/// read() returns the newest reading of the thread that polls the PLC; write() gives it the
/// newest command. A fault (a lost link, an exception, a status, a value outside its range)
/// trips, and the rig holds until the next prepare().
class ModbusRig {
 public:
  /// Does not connect. @throws std::runtime_error  if the server's name is unknown
  explicit ModbusRig(PlcSettings settings);

  const PlcSettings& settings() const noexcept { return settings_; }
  void describe(trestle_rig_capabilities& is) const noexcept { describe(settings_, is); }
  /// What the settings say of the rig; it need not be opened.
  static void describe(const PlcSettings& settings, trestle_rig_capabilities& is) noexcept;
  void describe_channel(std::uint32_t what, std::uint32_t index,
                        trestle_channel& channel) const noexcept {
    describe_channel(settings_, what, index, channel);
  }
  static void describe_channel(const PlcSettings& settings, std::uint32_t what,
                               std::uint32_t index, trestle_channel& channel) noexcept;

  /// Connects, if it is not, and waits for a reading; hold() on another thread ends the
  /// wait. @throws std::runtime_error
  void prepare();
  trestle_adapter_status read(std::int64_t now_ns, trestle_sensed& sensed) noexcept;
  trestle_adapter_status write(const double* drive) noexcept;
  void hold() noexcept {
    commands_.hold();
    gives_up_.store(true, std::memory_order_relaxed);
  }
  /// Waits until the PLC was told, at most for two answers.
  void stop() noexcept;
  void diagnose(char* text, std::uint32_t size) const noexcept;

 private:
  void refuse_command(std::size_t actuator, double value) noexcept;
  void diagnose_fault(char* text, std::uint32_t size) const noexcept;

  const PlcSettings settings_;
  const RegisterTable table_;  // of the commands
  WakeSignal wake_;
  CommandBox commands_;
  std::vector<std::uint16_t> words_;  // of the command that is being written
  plugin::FaultMessage refusal_;      // of a command
  std::atomic<bool> refused_{false};
  std::atomic<bool> gives_up_{false};  // prepare() waits no longer
  PlcThread plc_;
};

}  // namespace trestle::modbus_tcp
