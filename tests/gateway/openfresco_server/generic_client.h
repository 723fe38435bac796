#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/gateway/openfresco_server/openfresco_bytes.h"

namespace trestle::openfresco_server {

/// A client that follows the documented protocol and nothing else: plain sockets that wait,
/// Nagle's algorithm on, as in the real programs. What does not come within ten seconds
/// fails the test.
class GenericClient {
 public:
  enum class Way { kTcp, kUdpGreeted, kUdp };

  /// @param address  "127.0.0.1:40123"
  GenericClient(const std::string& address, Way way);
  ~GenericClient();
  GenericClient(const GenericClient&) = delete;
  GenericClient& operator=(const GenericClient&) = delete;

  void send(const Bytes& bytes);
  /// @returns false if the other end is gone
  bool offer(const Bytes& bytes);
  /// @returns fewer bytes where the other end has closed or nothing came
  Bytes receive(std::size_t bytes);

  /// Sizes, and the length of all vectors from then on.
  void say_sizes(const Bytes& sizes, std::size_t data);
  void say(const std::vector<double>& values) { send(reals(values, data_)); }
  std::vector<double> ask(const std::vector<double>& values);

  /// The process is killed: no word of the end.
  void vanish();

 private:
  int socket_ = -1;
  bool datagrams_;
  std::size_t data_ = 256;
};

/// A client after others that disconnected silently: connects until it is served with a
/// stiffness of 2.8. (The gateway resets a caller while one of them is still connected.)
bool served_anew(const std::string& address);

/// Returns true if no process listens there.
bool refused(const std::string& address);

}  // namespace trestle::openfresco_server
