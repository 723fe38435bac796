#include "core/host/host_lookup.h"

#include <netdb.h>
#include <sys/socket.h>

namespace trestle {

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

}  // namespace trestle
