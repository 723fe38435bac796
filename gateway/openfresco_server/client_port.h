#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace trestle::openfresco_server {

/// Where one client at a time calls in. Nothing blocks; no call raises a signal.
class ClientPort {
 public:
  struct Settings {
    std::string host;                  ///< dotted, or a name of this machine
    std::uint16_t port = 0;            ///< 0: any free one
    std::vector<std::string> allow{};  ///< dotted; empty: everybody
  };
  enum class State { kNobody, kClient, kLeft };

  virtual ~ClientPort() = default;

  /// Takes a client where there is none: whoever spoke first. One that calls and says
  /// nothing keeps nobody waiting, and is let go after some seconds.
  virtual State look() noexcept = 0;
  /// Reads what has come: part of a stream, or one datagram.
  /// @returns bytes read; 0 where nothing has come
  virtual std::size_t receive(std::span<std::byte> room) noexcept = 0;
  /// All of it, now or as the client reads.
  /// @param datagram  longest that it can read
  virtual void send(std::span<const std::byte> bytes, std::size_t datagram) noexcept = 0;
  /// Before its reader sleeps: tells the client's host that what was read has arrived, if
  /// no answer told it. A client that sends two small messages in a row is let send the
  /// second only then (Nagle's algorithm), which would else be some 40 ms later.
  virtual void acknowledge() noexcept = 0;
  /// What was to be sent is on its way.
  virtual bool sent() noexcept = 0;
  /// The client of now is one: nobody else can connect until release() or drop().
  virtual void engage() noexcept = 0;
  /// The client of now has said its last word: the next may connect, and waits.
  virtual void release() noexcept = 0;
  /// The client of now is one no more; the next is taken.
  virtual void drop() noexcept = 0;

  /// Without connections nobody can be seen to leave.
  virtual bool datagrams() const noexcept = 0;
  /// Readable whenever look() or receive() may find something.
  virtual int descriptor() const noexcept = 0;
  /// "127.0.0.1:53210"; empty: nobody.
  virtual const std::string& client() const noexcept = 0;
  /// Where it listens, a free port resolved.
  virtual const std::string& address() const noexcept = 0;
  /// Callers who were not let in, since the beginning.
  virtual std::uint64_t rejected_connections() const noexcept = 0;
  /// Sentences about them, for a person, since this was asked last; bounded.
  virtual std::vector<std::string> take_notices() = 0;
};

/// @param listen  HOST:PORT
Result<ClientPort::Settings> port_settings(const std::string& listen);

/// Others than this machine can reach it. @throws std::runtime_error where there is no such
/// address
bool open_to_the_network(const ClientPort::Settings& settings);

}  // namespace trestle::openfresco_server
