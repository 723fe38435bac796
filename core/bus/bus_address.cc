#include "core/bus/bus_address.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace trestle::bus {
namespace {

constexpr std::string_view kTcp = "tcp://";
constexpr int kLargestPort = 65535;
constexpr std::string_view kIpc = "ipc://";
// Longest path in the address of a Unix socket, without the terminating zero.
constexpr std::size_t kLongestPath = 107;  // bytes

std::string quoted(std::string_view text) {
  return "`" + std::string(text) + "`";
}

/// `HOST:PORT` of the far end: behind the last semicolon where both ends are stated.
std::string_view far_end(std::string_view address) {
  const std::size_t both = address.rfind(';');
  return address.substr(both == std::string_view::npos ? kTcp.size() : both + 1);
}

/// Host of a node that is called, or interface at which one listens.
std::string host_problem(const std::string& address, std::string_view host,
                         AddressUse use) {
  if (use == AddressUse::kListened && host == "*") return {};
  const bool possible = std::ranges::all_of(host, [](unsigned char letter) {
    return std::isalnum(letter) != 0 || letter == '.' || letter == '-' || letter == '_';
  });
  if (possible) return {};
  return quoted(address) + " has the host " + quoted(host) +
         "; must be a name or an address of IPv4: letters, digits, dots, dashes and "
         "underscores";
}

std::string port_problem(const std::string& address, std::string_view port,
                         AddressUse use) {
  // A free port, chosen by the system.
  if (use == AddressUse::kListened && (port == "*" || port == "0" || port == "!"))
    return {};
  int value = 0;
  const bool digits =
      !port.empty() && port.find_first_not_of("0123456789") == std::string_view::npos;
  if (digits && port.size() <= 5) value = std::stoi(std::string(port));
  if (value >= 1 && value <= kLargestPort) return {};
  return quoted(address) + " has the port " + quoted(port) +
         "; must be a whole number from 1 to " + std::to_string(kLargestPort);
}

}  // namespace

std::string address_problem(const std::string& address, AddressUse use) {
  const std::size_t scheme = address.find("://");
  if (scheme == std::string::npos) {
    // `tcp:HOST:PORT` and `tcp:/HOST:PORT` were meant to have one.
    std::string rest = address.starts_with("tcp:") ? address.substr(4) : address;
    if (rest.starts_with('/')) rest.erase(0, 1);
    const bool port = rest.find(':') != std::string::npos;
    return quoted(address) + " has no scheme; write tcp://" + rest +
           (port ? "" : ":PORT, with the port of that node");
  }
  if (address.starts_with(kIpc) && address.size() - kIpc.size() > kLongestPath)
    return quoted(address) + " has a path of " +
           std::to_string(address.size() - kIpc.size()) + " bytes; must have at most " +
           std::to_string(kLongestPath) + ", as the system bears for a socket";
  if (address.starts_with(kIpc) || address.starts_with("inproc://"))
    return address.size() > scheme + 3
               ? std::string()
               : quoted(address) + " names nothing behind the scheme; give a path";
  if (!address.starts_with(kTcp))
    return quoted(address) + " has the scheme " + quoted(address.substr(0, scheme)) +
           "; must be tcp, ipc or inproc: tcp://HOST:PORT";
  const std::string_view end = far_end(address);
  if (end.starts_with('['))
    return quoted(address) +
           " is an address of IPv6, which the bus does not speak; name the host, or give "
           "its address of IPv4";
  const std::size_t colon = end.rfind(':');
  if (end.empty()) return quoted(address) + " has no host; write tcp://HOST:PORT";
  if (colon == std::string_view::npos)
    return quoted(address) + " has no port; write " + address + ":PORT";
  if (colon == 0) return quoted(address) + " has no host; write tcp://HOST:PORT";
  const std::string host = host_problem(address, end.substr(0, colon), use);
  return host.empty() ? port_problem(address, end.substr(colon + 1), use) : host;
}

std::string host_of_address(const std::string& address) {
  if (!address.starts_with(kTcp)) return {};
  const std::string_view end = far_end(address);
  std::string host(end.substr(0, end.rfind(':')));
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return host;
}

}  // namespace trestle::bus
