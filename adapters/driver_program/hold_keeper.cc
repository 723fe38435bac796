#include "adapters/driver_program/hold_keeper.h"

#include "adapters/driver/futex.h"
#include "adapters/plugin/monotonic_ns.h"
#include "core/host/crash_handler.h"
#include "core/host/realtime_scheduling.h"

namespace trestle::driver_program {
namespace {

constexpr std::int64_t kBetweenHoldLooks = 20'000'000;  // [ns]

}  // namespace

void HoldKeeper::run() {
  const host::AlternateSignalStack last_words_need_room;
  host::set_fifo_priority(host::kWatchPriority);  // where the host allows it
  while (true) {
    const std::uint32_t asked = page_.holds_asked.load();
    if (asked != page_.holds_done.load()) {
      hold();
      page_.holds_done.store(asked);
      driver::wake(page_.holds_done);
      continue;
    }
    const std::int64_t now = plugin::monotonic_ns();
    if (!look(now)) driver::wait_while(page_.holds_asked, asked, now + kBetweenHoldLooks);
  }
}

/// @returns whether it had to hold
bool HoldKeeper::look(std::int64_t now) noexcept {
  std::int64_t deadline = deadline_.load();
  if (deadline != 0 && now >= deadline && deadline_.compare_exchange_strong(deadline, 0)) {
    hold();
    log_.tell("a call of the plug-in is late; asked it to hold");
    return true;
  }
  const std::int64_t watchdog = page_.watchdog_ns.load();
  const std::int64_t silence = now - heard_.load();
  if (watchdog <= 0 || !moves_.load() || silence < watchdog) return false;
  hold_after(silence);
  log_.tell("the site was silent for %lld ms; asked the plug-in to hold",
            static_cast<long long>(silence / 1'000'000));
  return true;
}

void HoldKeeper::ask() noexcept {
  page_.holds_asked.fetch_add(1);
  driver::wake(page_.holds_asked);
}

bool HoldKeeper::done_until(std::int64_t deadline_ns) const noexcept {
  while (true) {
    const std::uint32_t done = page_.holds_done.load();
    if (done == page_.holds_asked.load()) return true;
    if (plugin::monotonic_ns() >= deadline_ns) return false;
    driver::wait_while(page_.holds_done, done, deadline_ns);
  }
}

void HoldKeeper::hold_after(std::int64_t silence_ns) noexcept {
  silence_ = silence_ns;
  moves_ = false;
  holds_.fetch_add(1);
  table_.hold(rig_);
}

void HoldKeeper::heard() noexcept {
  heard_ = plugin::monotonic_ns();
}

}  // namespace trestle::driver_program
