#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace trestle::bus {

struct ZmqConnection;

/// The sites that an integrator calls, and what is done about one that says nothing.
///
/// A site that listens learns who calls it by the empty message that ZeroMQ sends as a
/// connection begins, and by nothing else. Were it lost, site and integrator would wait for
/// each other without a limit; ZeroMQ 4.3 also gives a connection up for good whose
/// handshake broke a rule. So a silent site is sent the empty message again each second,
/// and every 15 seconds its connection is replaced. One thread.
class CalledSites {
 public:
  using Steady = std::chrono::steady_clock;

  /// Before the first attend(), and after the site was called at this address.
  /// @param site  the peer's number
  /// @param name  its routing id, where one socket calls several sites
  void add(std::size_t site, const ZmqConnection& connection, const std::string& name,
           const std::string& address);

  /// A message of this peer came. Costs nothing; peers that were not added may be named.
  void heard(std::size_t peer) noexcept {
    if (peer < heard_.size()) heard_[peer] = 1;
  }

  /// Once a second looks who was silent, and sends or calls again. Does not block.
  void attend(Steady::time_point now) noexcept;

 private:
  struct Called {
    std::size_t site;
    const ZmqConnection* connection;
    std::string name;
    std::string address;
    int silent = 0;  // [s]
  };

  static void send_again(const Called& called) noexcept;
  static void renew_call(const Called& called) noexcept;

  std::vector<Called> called_;
  std::vector<char> heard_;  // per peer, since the last look
  Steady::time_point next_look_{};
};

}  // namespace trestle::bus
