#include "core/bus/address_checks.h"

#include <algorithm>
#include <string_view>

namespace trestle::bus {

bool is_local_address(const std::string& address) {
  if (address.starts_with("ipc://") || address.starts_with("inproc://")) return true;
  constexpr std::string_view kScheme = "tcp://";
  if (!address.starts_with(kScheme)) return false;
  // `tcp://own:port;other:port`: both ends of a call may be stated.
  const std::size_t other = address.rfind(';');
  const std::string whole =
      address.substr(other == std::string::npos ? kScheme.size() : other + 1);
  const std::string host = whole.substr(0, whole.rfind(':'));
  if (host == "localhost" || host == "[::1]") return true;
  // A name like 127.example.org is no such number.
  return host.starts_with("127.") && std::ranges::count(host, '.') == 3 &&
         host.find_first_not_of("0123456789.") == std::string::npos;
}

std::string validate_plain_address(const std::string& address, bool insecure) {
  if (insecure || address.find("://") == std::string::npos || is_local_address(address))
    return {};
  return address +
         " is reached from beyond this machine, and nobody there would have to show a key; "
         "make one with `trestle keygen` and give `security: {key: ..., peers: ...}`, or "
         "listen at 127.0.0.1, or write `security: {insecure: true}` where the network is "
         "yours alone";
}

}  // namespace trestle::bus
