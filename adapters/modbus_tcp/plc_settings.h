#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "adapters/modbus_tcp/register_table.h"

namespace trestle::modbus_tcp {

/// The register that tells the PLC what to do, and its words.
struct ControlRegister {
  std::uint16_t address = 0;
  std::uint16_t hold = 2;    ///< keep the present position
  std::uint16_t follow = 1;  ///< follow the command registers
  std::uint16_t stop = 3;    ///< the site leaves: be safe to approach
};

/// The `settings:` of a site whose adapter is modbus_tcp.
struct PlcSettings {
  std::string server;     ///< HOST:PORT
  std::uint8_t unit = 1;  ///< unit id in every request
  double poll = 20.0;     ///< readings per second [Hz]
  double rate = 100.0;    ///< most ticks per second [Hz]
  double connect = 2.0;   ///< longest wait for a connection [s]
  double response = 0.5;  ///< longest wait for each answer [s]
  double stale = 0.15;    ///< an older reading is no fresh measurement [s]
  /// The PLC holds by itself when the heartbeat stood still for so long [s]; 0: it does
  /// not.
  double watchdog = 0.0;
  std::optional<std::uint16_t> heartbeat{};  ///< address of the register that it watches
  std::optional<ControlRegister> control{};
  std::optional<Register> status{};  ///< 0: ready
  std::vector<Register> commands{};  ///< one per actuator
  std::vector<Register> displacements{};
  std::vector<Register> forces{};
  std::vector<Register> auxiliary{};

  /// All that is read: displacements, forces, auxiliary channels, status.
  RegisterTable readings() const;
  RegisterTable command_table() const;
};

/// @param settings  lines `path: value`, as a plug-in is opened with
/// @throws std::runtime_error  `path: sentence`
PlcSettings plc_settings(const char* settings);

}  // namespace trestle::modbus_tcp
