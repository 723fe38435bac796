#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace trestle {

/// The port of one client at a time. Nothing blocks; no call raises a signal.
class ClientPort {
 public:
  struct Settings {
    std::string host;                  ///< dotted, or a name of this machine
    std::uint16_t port = 0;            ///< 0: any free one
    std::vector<std::string> allow{};  ///< dotted; empty: everybody
  };
  enum class State { kNobody, kClient, kLeft };

  virtual ~ClientPort() = default;

  /// Accepts a client if none is served: the caller that sends first. A caller that
  /// connects and stays silent blocks no other, and is dropped after some seconds.
  virtual State look() noexcept = 0;
  /// Reads the received data: part of a stream, or one datagram.
  /// @returns bytes read; 0 if nothing has arrived
  virtual std::size_t receive(std::span<std::byte> room) noexcept = 0;
  /// All of it, now or as the client reads.
  /// @param datagram  longest that it can read
  virtual void send(std::span<const std::byte> bytes, std::size_t datagram) noexcept = 0;
  /// Called before the reader sleeps: acknowledges the read data to the client's host, if
  /// no reply did. A client that sends two small messages in a row sends the second only
  /// then (Nagle's algorithm); otherwise it would wait some 40 ms.
  virtual void acknowledge() noexcept = 0;
  /// Returns true if all data was passed to the kernel.
  virtual bool sent() noexcept = 0;
  /// Confirms the present client: no other can connect until release() or drop().
  virtual void engage() noexcept = 0;
  /// The present client has ended its test: the next may connect, and waits.
  virtual void release() noexcept = 0;
  /// The client of now is one no more; the next is taken.
  virtual void drop() noexcept = 0;

  /// Returns true for datagrams: the end of a client cannot be detected.
  virtual bool datagrams() const noexcept = 0;
  /// Readable whenever look() or receive() may find something.
  virtual int descriptor() const noexcept = 0;
  /// Returns "127.0.0.1:53210"; empty: no client.
  virtual const std::string& client() const noexcept = 0;
  /// Returns the address at which it listens, with a free port resolved.
  virtual const std::string& address() const noexcept = 0;
  /// Number of refused callers since the beginning.
  virtual std::uint64_t rejected_connections() const noexcept = 0;
  /// Returns sentences about them for the operator since the last call; bounded.
  virtual std::vector<std::string> take_notices() = 0;
};

/// @param listen  HOST:PORT
Result<ClientPort::Settings> port_settings(const std::string& listen);

/// Others than this machine can reach it. @throws std::runtime_error if there is no such
/// address
bool open_to_the_network(const ClientPort::Settings& settings);

/// Both throw std::runtime_error if the address cannot be used; says which and why.
std::unique_ptr<ClientPort> tcp_port(const ClientPort::Settings& settings);
std::unique_ptr<ClientPort> udp_port(const ClientPort::Settings& settings);

}  // namespace trestle
