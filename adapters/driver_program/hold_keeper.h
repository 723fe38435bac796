#pragma once

#include <atomic>
#include <cstdint>

#include "adapters/driver/driver_page.h"
#include "adapters/driver_program/driver_log.h"

namespace trestle::driver_program {

/// Calls hold() of the plug-in for everything that asks for it: the site, a call that is
/// late, a site that is silent or has died. A thread that does nothing else, because the
/// one that calls the plug-in may hang. It waits for nobody but hold() of the plug-in: what
/// it has to tell, another thread writes.
class HoldKeeper {
 public:
  /// All outlive this.
  HoldKeeper(const trestle_adapter_v1& table, void* rig, driver::DriverPage& page,
             DriverLog& log)
      : table_(table), rig_(rig), page_(page), log_(log) {}

  /// Never returns.
  [[noreturn]] void run();

  /// Requests a hold and does not wait for it. On any thread.
  void ask() noexcept;
  /// Whether all holds that were requested are done, at the latest by this time.
  bool done_until(std::int64_t deadline_ns) const noexcept;
  /// Calls hold() on this thread. Allowed in a signal handler.
  void hold() noexcept { hold_after(0); }
  /// As hold(), for the reason of the last one.
  void hold_again() noexcept { hold_after(silence_.load()); }
  std::uint32_t holds() const noexcept { return holds_.load(); }
  /// How long the site was silent before the last hold [ns]; 0: that was not its reason.
  std::int64_t silence_ns() const noexcept { return silence_.load(); }

  // --- the thread that calls the plug-in ---

  void heard() noexcept;
  /// A read() or write() begins. @param deadline_ns  it is late then
  void call_begins(std::int64_t deadline_ns) noexcept { deadline_ = deadline_ns; }
  void call_ends() noexcept { deadline_ = 0; }
  /// A drive is about to be in force.
  void moves() noexcept { moves_ = true; }

 private:
  bool look(std::int64_t now) noexcept;
  void hold_after(std::int64_t silence_ns) noexcept;

  const trestle_adapter_v1& table_;
  void* rig_;
  driver::DriverPage& page_;
  DriverLog& log_;
  std::atomic<std::uint32_t> holds_{0};
  std::atomic<std::int64_t> deadline_{0};  // of the call under way; 0: none
  std::atomic<std::int64_t> heard_{0};     // from the site, last
  std::atomic<std::int64_t> silence_{0};   // of the site, before the last hold
  std::atomic<bool> moves_{false};         // a drive is in force since the last hold
};

}  // namespace trestle::driver_program
