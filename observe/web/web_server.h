#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "observe/web/page_service.h"
#include "observe/web/tls_files.h"

namespace trestle::web {

/// HTTP and WebSocket on one port, by TLS or plain, on the thread that calls run(). Memory
/// is bounded: the number of connections, and the bytes that each may hold.
class WebServer {
 public:
  /// @param address  to listen on, a number: "127.0.0.1", "::1"
  /// @param port     0: any that is free
  /// @param files    of TLS; without a certificate the connections are not encrypted
  /// @throws std::runtime_error with one sentence if nobody can listen there, or where a
  ///                 file of TLS cannot be used
  WebServer(PageService& service, const std::string& address, std::uint16_t port,
            const TlsFiles& files = {});
  ~WebServer();
  WebServer(const WebServer&) = delete;
  WebServer& operator=(const WebServer&) = delete;

  std::uint16_t port() const;

  /// Serves until SIGINT or SIGTERM, or until stop().
  void run();
  /// From any thread.
  void stop();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace trestle::web
