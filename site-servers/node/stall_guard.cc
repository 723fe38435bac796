#include "site-servers/node/stall_guard.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <thread>
#include <utility>

#include "core/host/crash_handler.h"
#include "core/host/realtime_scheduling.h"

namespace trestle::site_node {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
constexpr Duration kMostBetweenLooks = std::chrono::milliseconds(20);
constexpr Duration kLeastBetweenLooks = std::chrono::milliseconds(1);
constexpr Duration kPatienceAtEnd = std::chrono::seconds(1);

constexpr std::int64_t count_of(TimePoint time) noexcept {
  return time.time_since_epoch().count();
}

}  // namespace

StallGuard::StallGuard(SiteAdapter& rig, const Clock& clock, Hangs hangs)
    : rig_(rig), clock_(clock), hangs_(std::move(hangs)), begun_(kNever), due_(kNever) {}

void StallGuard::watch_by_hand(Duration patience, bool forgives) noexcept {
  forgives_.store(forgives, std::memory_order_relaxed);
  patience_.store(patience.count(), std::memory_order_relaxed);
  watching_.store(true, std::memory_order_release);
}

void StallGuard::watch(Duration patience, bool forgives) {
  watch_by_hand(patience, forgives);
  if (thread_.runs()) return;
  leaving_ = false;
  thread_.begin([this] {
    const host::AlternateSignalStack last_words_need_room;
    host::set_fifo_priority(host::kWatchPriority);  // where the host allows it
    while (!leaving_.load(std::memory_order_relaxed)) {
      std::this_thread::sleep_for(
          std::clamp(this->patience() / 4, kLeastBetweenLooks, kMostBetweenLooks));
      look(clock_.now());
    }
  });
}

bool StallGuard::end() noexcept {
  leaving_ = true;
  return thread_.join(kPatienceAtEnd);
}

void StallGuard::cycle_begins(TimePoint now) noexcept {
  if (count_of(now) < due_.load(std::memory_order_relaxed))
    due_.store(count_of(now), std::memory_order_release);
}

void StallGuard::cycle_done(TimePoint due) noexcept {
  due_.store(count_of(due), std::memory_order_release);
  cycles_.fetch_add(1, std::memory_order_relaxed);
}

void StallGuard::look(TimePoint now) noexcept {
  const char* const function = function_.load(std::memory_order_acquire);
  std::int64_t since = std::min(begun_.load(std::memory_order_acquire),
                                due_.load(std::memory_order_acquire));
  if (count_of(now) - looked_ > patience_.load(std::memory_order_relaxed) / 2)
    away_ = count_of(now);
  looked_ = count_of(now);
  if (forgives_.load(std::memory_order_relaxed)) since = std::max(since, away_);
  const std::int64_t overdue =
      std::max<std::int64_t>(since == kNever ? 0 : count_of(now) - since, 0);
  overdue_.store(overdue, std::memory_order_relaxed);
  if (overdue <= patience_.load(std::memory_order_relaxed)) return;
  if (!stalled_.load(std::memory_order_relaxed)) {
    stalled_in_.store(function, std::memory_order_relaxed);
    lasted_.store(overdue, std::memory_order_release);
    stalled_.store(true, std::memory_order_seq_cst);
    rig_.hold();
  }
  if (hangs_ && function != nullptr) hangs_(function, Duration{overdue});
}

bool StallGuard::hangs() const noexcept {
  const std::int64_t begun = begun_.load(std::memory_order_acquire);
  return begun != kNever &&
         count_of(clock_.now()) - begun > patience_.load(std::memory_order_relaxed);
}

void StallGuard::clear() noexcept {
  stalled_.store(false, std::memory_order_release);
}

struct StallGuard::Call {
  /// @returns false if it must not come about
  static bool begin(StallGuard& guard, const char* function) noexcept {
    guard.begun_.store(count_of(guard.clock_.now()), std::memory_order_relaxed);
    guard.function_.store(function, std::memory_order_seq_cst);
    if (!guard.stalled_.load(std::memory_order_seq_cst)) return true;
    end(guard, AdapterStatus::kTripped);
    return false;
  }
  static AdapterStatus end(StallGuard& guard, AdapterStatus status) noexcept {
    guard.function_.store(nullptr, std::memory_order_release);
    guard.begun_.store(kNever, std::memory_order_seq_cst);
    if (!guard.stalled_.load(std::memory_order_seq_cst)) return status;
    guard.rig_.hold();  // again: what came back late must not have undone it
    return AdapterStatus::kTripped;
  }
};

AdapterStatus StallGuard::read(TimePoint now, Measurement& sensed) noexcept {
  if (!watching_.load(std::memory_order_relaxed)) return rig_.read(now, sensed);
  if (!Call::begin(*this, "read")) return AdapterStatus::kTripped;
  return Call::end(*this, rig_.read(now, sensed));
}

AdapterStatus StallGuard::write(const ActuatorVector& drive) noexcept {
  if (!watching_.load(std::memory_order_relaxed)) return rig_.write(drive);
  if (!Call::begin(*this, "write")) return AdapterStatus::kTripped;
  return Call::end(*this, rig_.write(drive));
}

std::string StallGuard::diagnostic_message() const {
  if (!stalled()) return rig_.diagnostic_message();
  const char* const function = stalled_in_.load(std::memory_order_relaxed);
  char text[200];
  std::snprintf(text, sizeof text,
                function != nullptr
                    ? "%s() of the rig did not come back for %.0f ms; the watching thread "
                      "has asked the rig to hold"
                    : "%sthe control thread did not run for %.0f ms; the watching thread "
                      "has asked the rig to hold",
                function != nullptr ? function : "", 1e3 * seconds(lasted()));
  const std::string words = rig_.diagnostic_message();
  return words.empty() ? text : text + ("; " + words);
}

}  // namespace trestle::site_node
