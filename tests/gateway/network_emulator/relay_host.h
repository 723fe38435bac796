#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "gateway/network_emulator/network_emulator.h"

namespace trestle::network_emulator {

/// A relay from a free port of this host to another port, on a separate thread.
class RelayHost {
 public:
  RelayHost(const network::LinkSettings& link, std::uint16_t to);
  ~RelayHost();
  RelayHost(const RelayHost&) = delete;
  RelayHost& operator=(const RelayHost&) = delete;

  std::uint16_t port() const { return port_; }
  /// What it said so far.
  std::vector<std::string> said() const;
  /// Ends it. @returns how it stood
  RelayStatus end();

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> said_;
  std::atomic<bool> ending_{false};
  NetworkEmulator relay_;
  std::uint16_t port_;
  std::thread thread_;
};

/// Listens at a free port, takes one connection after the other, and sends back what comes.
class EchoServer {
 public:
  EchoServer();
  ~EchoServer();
  EchoServer(const EchoServer&) = delete;
  EchoServer& operator=(const EchoServer&) = delete;

  std::uint16_t port() const { return port_; }

 private:
  void serve() const;

  int listener_;
  std::uint16_t port_;
  std::thread thread_;
};

/// A TCP connection to a port of this host. Every read has a deadline of half a minute.
class Caller {
 public:
  explicit Caller(std::uint16_t port);
  ~Caller();
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;

  void send(const std::string& bytes) const;
  void end() const;  ///< sends no more
  /// @returns `bytes` bytes, or fewer if the connection ended
  /// @throws std::runtime_error if the deadline passed
  std::string receive(std::size_t bytes) const;

 private:
  int socket_;
};

}  // namespace trestle::network_emulator
