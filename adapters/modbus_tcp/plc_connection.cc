#include "adapters/modbus_tcp/plc_connection.h"

#include <arpa/inet.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <system_error>

#include "adapters/plugin/internet_address.h"

namespace trestle::modbus_tcp {
namespace {

/// libmodbus takes numbers only.
modbus_t* context_of(const std::string& server) {
  const sockaddr_in address =
      plugin::resolved(plugin::host_port_of(server, "server"), "server");
  std::array<char, INET_ADDRSTRLEN> text{};
  inet_ntop(AF_INET, &address.sin_addr, text.data(), text.size());
  modbus_t* const made = modbus_new_tcp(text.data(), ntohs(address.sin_port));
  if (made == nullptr)
    throw std::runtime_error("server: libmodbus cannot use " + server + ": " +
                             modbus_strerror(errno));
  return made;
}

/// Time for each wait of libmodbus from now on.
void set_patience(modbus_t* modbus, double seconds) {
  const double whole = std::floor(seconds);
  const double rest = std::fmax(1.0, std::floor(1e6 * (seconds - whole)));
  modbus_set_response_timeout(modbus, static_cast<std::uint32_t>(whole),
                              static_cast<std::uint32_t>(rest));
}

std::string milliseconds(double seconds) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4g ms", 1e3 * seconds);
  return text.data();
}

bool is_exception(int error) noexcept {
  return error > MODBUS_ENOBASE && error < MODBUS_ENOBASE + MODBUS_EXCEPTION_MAX;
}

}  // namespace

PlcConnection::PlcConnection(const PlcSettings& settings)
    : server_(settings.server),
      connect_(settings.connect),
      response_(settings.response),
      modbus_(context_of(settings.server), &modbus_free) {
  modbus_set_slave(modbus_.get(), settings.unit);
  // Without a limit between two bytes, that for the answer applies to all of it.
  modbus_set_byte_timeout(modbus_.get(), 0, 0);
}

PlcConnection::~PlcConnection() {
  close();
}

void PlcConnection::open() {
  close();
  set_patience(modbus_.get(), connect_);
  if (modbus_connect(modbus_.get()) != 0)
    throw PlcError(
        "the PLC " + server_ + " cannot be reached within " + milliseconds(connect_) +
            " (`connect`): " + std::generic_category().message(errno) +
            "; check that it is on, its address, and that it allows one more connection",
        true);
  set_patience(modbus_.get(), response_);
  open_ = true;
}

void PlcConnection::close() noexcept {
  if (open_) modbus_close(modbus_.get());
  open_ = false;
}

void PlcConnection::read(const RegisterBlock& block, std::span<std::uint16_t> words) {
  errno = 0;
  const auto count = static_cast<int>(block.words);
  std::uint16_t* const into = words.data() + block.at;
  const int read =
      block.is_input
          ? modbus_read_input_registers(modbus_.get(), block.address, count, into)
          : modbus_read_registers(modbus_.get(), block.address, count, into);
  if (read != count)
    fail("read " + place_of(block.is_input, block.address, block.words), errno);
}

void PlcConnection::write(std::uint16_t address, std::span<const std::uint16_t> words) {
  errno = 0;
  const auto count = static_cast<int>(words.size());
  const int written =
      count == 1 ? modbus_write_register(modbus_.get(), address, words[0])
                 : modbus_write_registers(modbus_.get(), address, count, words.data());
  if (written != count) fail("write " + place_of(false, address, words.size()), errno);
}

void PlcConnection::fail(const std::string& asked, int error) {
  const std::string plc = "the PLC " + server_;
  if (is_exception(error))
    throw PlcError(plc + " refuses to " + asked + ": exception " +
                       std::to_string(error - MODBUS_ENOBASE) + " (" +
                       modbus_strerror(error) +
                       "); check address, kind and type in the settings",
                   false);
  close();
  if (error == ETIMEDOUT)
    throw PlcError(plc + " did not answer within " + milliseconds(response_) +
                       " (`response`) to: " + asked + "; check the PLC and the network",
                   true);
  if (error > MODBUS_ENOBASE)
    throw PlcError(plc + " answered garbage (" + modbus_strerror(error) + ") to: " + asked +
                       "; check that a Modbus/TCP server is there",
                   true);
  throw PlcError(plc + " closed the connection (" + std::generic_category().message(error) +
                     ") at: " + asked + "; check the PLC and the network",
                 true);
}

}  // namespace trestle::modbus_tcp
