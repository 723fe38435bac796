#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>

namespace trestle::bus {

/// How many connections an end that listens keeps open, all in all and of one address. More
/// would take the descriptors that journal and rig need, and without a free one ZeroMQ's
/// thread turns at full speed around the connection that it cannot take.
struct ConnectionLimits {
  std::size_t all = 256;
  std::size_t of_one = 64;  ///< address
};

/// Returns the limits for a process that may open `descriptors` files.
ConnectionLimits connection_limits(std::size_t descriptors) noexcept;

/// The connections of one listener, by their descriptors.
class ConnectionCount {
 public:
  explicit ConnectionCount(const ConnectionLimits& limits) : limits_(limits) {}

  /// @returns empty if it may stay; else why not: "it has 64 connections already"
  std::string admit(int connection, const std::string& from);
  /// @returns whether it was one that might not stay
  bool gone(int connection);

 private:
  void forget(int connection);

  ConnectionLimits limits_;
  std::map<int, std::string> open_;  // by descriptor: the address
  std::map<std::string, std::size_t> of_;
  std::set<int> sent_away_;  // and not gone yet
};

}  // namespace trestle::bus
