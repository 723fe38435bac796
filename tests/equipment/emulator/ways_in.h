#pragma once

#include <netinet/in.h>

#include <cstdint>
#include <string>
#include <vector>

#include "../plugin/equipment_wire.h"
#include "contacts.h"
#include "controller.h"

namespace equipment {

/// Faults that are asked for from outside, of either way in.
struct WireFaults {
  bool mute = false;  ///< reports nothing
  bool deaf = false;  ///< hears nothing
};

/// Orders as UDP frames, each answered by one.
class UdpWay {
 public:
  explicit UdpWay(std::uint16_t port);  ///< 0: any; on the loopback
  ~UdpWay();
  UdpWay(const UdpWay&) = delete;
  UdpWay& operator=(const UdpWay&) = delete;

  int file() const { return socket_; }
  std::uint16_t port() const { return port_; }
  void serve(Controller& controller, const WireFaults& faults, RigLog& log);

 private:
  int socket_;
  std::uint16_t port_ = 0;
  std::uint32_t sequence_ = 0;
  std::uint32_t newest_ = 0;  ///< order
};

/// Orders of the plug-in over a SEQPACKET socket, one client at a time (the newest);
/// reports every millisecond.
class PlugInWay {
 public:
  explicit PlugInWay(std::string path);
  ~PlugInWay();
  PlugInWay(const PlugInWay&) = delete;
  PlugInWay& operator=(const PlugInWay&) = delete;

  int listener() const { return listener_; }
  int client() const { return client_; }
  void serve(Controller& controller, Contacts& contacts, const WireFaults& faults,
             RigLog& log);
  /// @param host_ns when it was measured
  void report(const Controller& controller, const Contacts& contacts,
              const WireFaults& faults, std::int64_t host_ns);
  equipment_page& page() { return *page_; }

 private:
  void drop(Contacts& contacts, RigLog& log);

  std::string path_;
  int listener_;
  int client_ = -1;
  std::uint32_t epoch_ = 0;  ///< holds asked on this connection
  std::uint64_t heard_ = 0;
  std::uint64_t sequence_ = 0;
  equipment_page* page_ = nullptr;
};

/// Lines of text from the test's driver, an answer of one line each.
class ControlWay {
 public:
  explicit ControlWay(const std::string& path);
  ~ControlWay();
  ControlWay(const ControlWay&) = delete;
  ControlWay& operator=(const ControlWay&) = delete;

  int listener() const { return listener_; }
  const std::vector<int>& clients() const { return clients_; }
  void accept_new();
  /// @returns false if the caller has left
  bool line_of(int client, std::string& line);
  void close_of(int client);

 private:
  int listener_;
  std::vector<int> clients_;
};

}  // namespace equipment
