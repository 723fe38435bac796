#pragma once

#include <modbus/modbus.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>

#include "adapters/modbus_tcp/plc_settings.h"
#include "adapters/modbus_tcp/register_table.h"

namespace trestle::modbus_tcp {

/// A request that failed; its text is a whole sentence.
class PlcError : public std::runtime_error {
 public:
  PlcError(const std::string& what, bool lost) : std::runtime_error(what), lost_(lost) {}
  /// Whether the connection cannot be used any more.
  bool lost() const noexcept { return lost_; }

 private:
  bool lost_;
};

/// The client's end of a connection to a PLC, by libmodbus. Every call waits, at most for
/// `connect` or `response` of the settings.
class PlcConnection {
 public:
  /// Looks the server's name up, and does not connect.
  /// @throws std::runtime_error  if the name is unknown
  explicit PlcConnection(const PlcSettings& settings);
  ~PlcConnection();
  PlcConnection(const PlcConnection&) = delete;
  PlcConnection& operator=(const PlcConnection&) = delete;

  bool is_open() const noexcept { return open_; }
  /// @throws PlcError
  void open();
  void close() noexcept;

  /// @throws PlcError
  void read(const RegisterBlock& block, std::span<std::uint16_t> words);
  /// Writes holding registers in one request. @throws PlcError
  void write(std::uint16_t address, std::span<const std::uint16_t> words);

 private:
  [[noreturn]] void fail(const std::string& asked, int error);

  const std::string server_;
  const double connect_;
  const double response_;
  std::unique_ptr<modbus_t, decltype(&modbus_free)> modbus_;
  bool open_ = false;
};

}  // namespace trestle::modbus_tcp
