#include "core/host/host_lookup.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace trestle::host {
namespace {

bool all_digits(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

std::string without_zeros(const std::string& port) {
  const std::size_t first = port.find_first_not_of('0');
  return first == std::string::npos ? "0" : port.substr(first);
}

/// @returns empty: neither IPv4 nor IPv6
std::string number_of(const sockaddr* address) {
  char text[INET6_ADDRSTRLEN] = {};
  if (address == nullptr) return {};
  if (address->sa_family == AF_INET) {
    inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(address)->sin_addr, text,
              sizeof text);
  } else if (address->sa_family == AF_INET6) {
    const in6_addr& number = reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr;
    if (IN6_IS_ADDR_V4MAPPED(&number))
      inet_ntop(AF_INET, number.s6_addr + 12, text, sizeof text);
    else
      inet_ntop(AF_INET6, &number, text, sizeof text);
  }
  return text;
}

bool of_this_host(const std::string& number) {
  if (number == "127.0.0.1" || number == "::1" || number == "0.0.0.0" || number == "::")
    return true;
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) != 0) return false;
  bool found = false;
  for (const ifaddrs* one = all; one != nullptr && !found; one = one->ifa_next)
    found = number_of(one->ifa_addr) == number;
  freeifaddrs(all);
  return found;
}

std::string canonical_host(const std::string& host) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (getaddrinfo(host.c_str(), nullptr, &hints, &found) != 0) return host;
  std::string least;
  bool here = false;
  for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {
    const std::string number = number_of(one->ai_addr);
    here = here || of_this_host(number);
    // The resolver returns them in any order.
    if (!number.empty() && (least.empty() || number < least)) least = number;
  }
  freeaddrinfo(found);
  if (here) return "local";
  return least.empty() ? host : least;
}

}  // namespace

std::string unknown_host(const std::string& host) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int failed = getaddrinfo(host.c_str(), nullptr, &hints, &found);
  if (failed != 0) return gai_strerror(failed);
  freeaddrinfo(found);
  return {};
}

std::string canonical_address(const std::string& address) {
  std::string text = address;
  text.erase(std::remove_if(text.begin(), text.end(),
                            [](char letter) {
                              return letter == '"' || letter == '\'' || letter == ' ';
                            }),
             text.end());
  if (const std::size_t scheme = text.find("://"); scheme != std::string::npos)
    text.erase(0, scheme + 3);
  if (all_digits(text)) return without_zeros(text);
  std::error_code none;
  if (text.find('/') != std::string::npos) {
    const std::filesystem::path path =
        std::filesystem::weakly_canonical(std::filesystem::absolute(text), none);
    return none ? text : path.string();
  }
  if (text.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyz"
                             "ABCDEFGHIJKLMNOPQRSTUVWXYZ.-_:[]%") != std::string::npos ||
      text.empty())
    return text;
  const std::size_t colon = text.rfind(':');
  const bool number = text.front() != '[' && std::count(text.begin(), text.end(), ':') > 1;
  std::string port;
  if (!number && colon != std::string::npos && all_digits(text.substr(colon + 1))) {
    port = ":" + without_zeros(text.substr(colon + 1));
    text.erase(colon);
  }
  if (text.size() > 1 && text.front() == '[' && text.back() == ']')
    text = text.substr(1, text.size() - 2);
  return canonical_host(text) + port;
}

}  // namespace trestle::host
