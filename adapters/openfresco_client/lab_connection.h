#pragma once

#include <netinet/in.h>

#include <atomic>
#include <cstddef>
#include <span>
#include <string>

#include "core/base/time.h"

namespace trestle::openfresco {

/// The client's end of a connection to a server of OpenFresco.
class LabConnection {
 public:
  LabConnection() = default;
  ~LabConnection() { close(); }
  LabConnection(const LabConnection&) = delete;
  LabConnection& operator=(const LabConnection&) = delete;

  /// @param server  HOST:PORT
  /// @throws std::runtime_error if it cannot be reached in time; states server and reason
  void open(const std::string& server, bool datagrams, Duration patience);
  void close() noexcept;
  /// A wait ends soon after `given_up` became true; null: it waits to its end.
  void give_up_when(const std::atomic<bool>* given_up) noexcept { given_up_ = given_up; }
  bool is_open() const noexcept { return socket_ >= 0; }

  // Before a run: they wait, at most so long. @throws std::runtime_error
  void say(std::span<const std::byte> bytes);
  void hear(std::span<std::byte> bytes, Duration patience, const char* what);

  // During it: they never wait.

  /// @returns false if the connection is lost
  bool send(std::span<const std::byte> bytes) noexcept;
  /// @returns how many came; negative: the connection is lost
  std::ptrdiff_t receive(std::span<std::byte> room) noexcept;

 private:
  bool waits(short events, Duration patience) const;

  const std::atomic<bool>* given_up_ = nullptr;
  std::string known_as_;  // whose address was looked up
  sockaddr_in address_{};
  int socket_ = -1;
  bool datagrams_ = false;
  std::string server_;
};

}  // namespace trestle::openfresco
