#include "core/bus/zmq_socket.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <stdexcept>

#include "core/bus/address_checks.h"

namespace trestle::bus {
namespace {

constexpr int kQueueLength = 128;        // messages per peer and direction
constexpr int kReconnectFirst = 10;      // [ms]
constexpr int kReconnectLongest = 1000;  // [ms]
constexpr int kBacklog = 16;             // connections that wait to be taken

// Tells ZeroMQ to authenticate every peer that connects.
constexpr const char* kZapDomain = "trestle";

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what + ": " + zmq_strerror(zmq_errno()));
}

/// ZeroMQ would silently remove the path of another process's ipc socket.
bool somebody_listens(const std::string& address) {
  constexpr std::string_view kScheme = "ipc://";
  sockaddr_un path{};
  path.sun_family = AF_UNIX;
  const std::string name =
      address.starts_with(kScheme) ? address.substr(kScheme.size()) : "";
  if (name.empty() || name.front() == '@' || name.size() >= sizeof path.sun_path)
    return false;
  name.copy(path.sun_path, name.size());
  const int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const bool answered =
      connect(probe, reinterpret_cast<const sockaddr*>(&path), sizeof path) == 0;
  close(probe);
  return answered;
}

}  // namespace

ZmqSocket::ZmqSocket(void* context, int type, const BusSecurity& security)
    : security_(security), socket_(zmq_socket(context, type), zmq_close) {
  if (socket_ == nullptr) fail("ZeroMQ gives no socket");
  if (type == ZMQ_ROUTER) {
    option(ZMQ_ROUTER_MANDATORY, 1);
    option(ZMQ_ROUTER_HANDOVER, 1);
  }
  option(ZMQ_SNDHWM, kQueueLength);
  option(ZMQ_RCVHWM, kQueueLength);
  option(ZMQ_LINGER, 0);
  option(ZMQ_IMMEDIATE, 1);  // no queue for absent peers: its messages would become stale
  option(ZMQ_IPV6, 0);
  option(ZMQ_BACKLOG, kBacklog);
  option(ZMQ_RECONNECT_IVL, kReconnectFirst);
  option(ZMQ_RECONNECT_IVL_MAX, kReconnectLongest);
  option(ZMQ_HANDSHAKE_IVL,
         static_cast<int>(
             std::chrono::duration_cast<std::chrono::milliseconds>(security.handshake)
                 .count()));
  const auto longest = static_cast<std::int64_t>(kLongestFrame);
  if (zmq_setsockopt(get(), ZMQ_MAXMSGSIZE, &longest, sizeof longest) != 0)
    fail("ZeroMQ refuses a largest message");
  std::size_t size = sizeof event_;
  if (zmq_getsockopt(get(), ZMQ_FD, &event_, &size) != 0)
    fail("ZeroMQ gives no descriptor to wait for");
}

void ZmqSocket::option(int name, int value) {
  if (zmq_setsockopt(get(), name, &value, sizeof value) != 0)
    fail("ZeroMQ refuses option " + std::to_string(name));
}

void ZmqSocket::option(int name, const std::string& value) {
  if (zmq_setsockopt(get(), name, value.data(), value.size()) != 0)
    fail("ZeroMQ refuses option " + std::to_string(name));
}

void ZmqSocket::listen(const std::string& address) {
  if (!security_.secret_key.empty()) {
    option(ZMQ_CURVE_SERVER, 1);
    option(ZMQ_CURVE_SECRETKEY, security_.secret_key);
    option(ZMQ_ZAP_DOMAIN, std::string(kZapDomain));
  } else if (const std::string why = validate_plain_address(address, security_.insecure);
             !why.empty()) {
    throw std::runtime_error(why);
  }
  if (somebody_listens(address))
    throw std::runtime_error("cannot listen at " + address + ": another process does");
  if (zmq_bind(get(), address.c_str()) != 0) fail("cannot listen at " + address);
  std::array<char, 512> text{};
  std::size_t size = text.size();
  if (zmq_getsockopt(get(), ZMQ_LAST_ENDPOINT, text.data(), &size) != 0)
    fail("cannot tell where " + address + " listens");
  bound_endpoint_ = text.data();
}

void ZmqSocket::call(const std::string& address, const std::string& server_key) {
  if (!security_.secret_key.empty()) {
    std::array<char, 41> open_half{};
    zmq_curve_public(open_half.data(), security_.secret_key.c_str());
    option(ZMQ_CURVE_PUBLICKEY, std::string(open_half.data()));
    option(ZMQ_CURVE_SECRETKEY, security_.secret_key);
    option(ZMQ_CURVE_SERVERKEY, server_key);
  } else if (const std::string why = validate_plain_address(address, security_.insecure);
             !why.empty()) {
    throw std::runtime_error(why);
  }
  if (zmq_connect(get(), address.c_str()) != 0) fail("cannot call " + address);
}

std::string printable(std::string_view text) {
  std::string clean(text.substr(0, 40));
  for (char& c : clean)
    if (std::isprint(static_cast<unsigned char>(c)) == 0) c = '?';
  return clean;
}

}  // namespace trestle::bus
