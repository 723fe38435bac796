#pragma once

#include <zmq.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/bus/bus_security.h"

namespace trestle::bus {

/// Ends a context when everything in it is closed.
using ZmqContext = std::unique_ptr<void, int (*)(void*)>;

/// A frame of a message; the destructor closes it.
class ZmqFrame {
 public:
  ZmqFrame() noexcept { zmq_msg_init(&message_); }
  ~ZmqFrame() { zmq_msg_close(&message_); }
  ZmqFrame(const ZmqFrame&) = delete;
  ZmqFrame& operator=(const ZmqFrame&) = delete;

  bool receive(void* socket) noexcept {
    return zmq_msg_recv(&message_, socket, ZMQ_DONTWAIT) >= 0;
  }
  bool more() const noexcept { return zmq_msg_more(&message_) != 0; }
  std::span<const std::byte> bytes() noexcept {
    return {static_cast<const std::byte*>(zmq_msg_data(&message_)),
            zmq_msg_size(&message_)};
  }
  std::string_view text() noexcept {
    return {static_cast<const char*>(zmq_msg_data(&message_)), zmq_msg_size(&message_)};
  }
  /// Returns a property of the message's connection, set by ZeroMQ or its authenticator;
  /// empty if unset.
  std::string_view property(const char* name) noexcept {
    const char* const text = zmq_msg_gets(&message_, name);
    return text == nullptr ? std::string_view{} : text;
  }

 private:
  zmq_msg_t message_;
};

/// One socket of the bus with the options that all of them have. Set-up throws
/// std::runtime_error, which states what cannot be used and why.
class ZmqSocket {
 public:
  ZmqSocket(void* context, int type, const BusSecurity& security);

  void option(int name, int value);
  void option(int name, const std::string& value);
  /// @param address  refused where it leaves this machine and the end is plain, and not
  ///                 insecure by its settings
  void listen(const std::string& address);
  /// @param server_key  public key of the called peer; with CURVE only
  void call(const std::string& address, const std::string& server_key);

  void* get() const noexcept { return socket_.get(); }
  /// To wait for.
  int event() const noexcept { return event_; }
  /// Returns the address at which it listens, with a free port resolved.
  const std::string& bound_endpoint() const noexcept { return bound_endpoint_; }

 private:
  const BusSecurity& security_;
  std::unique_ptr<void, int (*)(void*)> socket_;
  int event_ = -1;
  std::string bound_endpoint_;
};

/// Returns the text shortened and without control characters: any peer may have sent it.
std::string printable(std::string_view text);

/// Longest frame that ZeroMQ takes from the wire; above it, it cuts the connection.
/// Between kMaxMessageBytes and this the sender can still be named.
inline constexpr std::size_t kLongestFrame = std::size_t{2} << 20;  // [bytes]

}  // namespace trestle::bus
