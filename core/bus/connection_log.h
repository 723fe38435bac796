#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "core/bus/bus_security.h"

namespace trestle::bus {

/// Collects refused connections from any thread and limits how many lines they cause. A new
/// sentence is returned at once, a repeated one at most once in a period, with its count.
/// The number of different sentences is bounded, so a flood of refused peers costs a few
/// lines.
class ConnectionLog {
 public:
  using Steady = std::chrono::steady_clock;

  void refuse(std::string text);  ///< a warning that is counted
  void note(std::string text);    ///< no warning, but counted with the refused
  void warn(std::string text);
  void tell(std::string text);  ///< a connection began or ended

  /// Returns true if take() may return events; costs nothing.
  bool news() const noexcept { return news_; }
  /// Returns the events that are due.
  std::vector<ConnectionEvent> take(Steady::time_point now);

  /// Number of refusals since the beginning, reported or not.
  std::uint64_t refused() const noexcept { return refused_; }

 private:
  struct Entry {
    ConnectionEvent notice;
    std::uint64_t suppressed = 0;
    bool said = false;
    Steady::time_point at{};  // said last
  };

  void add(bool warning, std::string text);

  std::mutex mutex_;
  std::vector<Entry> entries_;
  Entry others_;
  std::atomic<bool> news_{false};
  std::atomic<std::uint64_t> refused_{0};
};

}  // namespace trestle::bus
