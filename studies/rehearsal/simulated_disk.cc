#include "studies/rehearsal/simulated_disk.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace trestle::rehearsal {
namespace {

void forget_behind(std::uint64_t number, MemorySession& session) {
  const auto later = [number](const auto& told) {
    return told.number > number;
  };
  for (MemorySession::Stream& stream : session.streams) {
    const auto first = std::upper_bound(stream.number.begin(), stream.number.end(), number);
    stream.keep_first(static_cast<std::size_t>(first - stream.number.begin()));
  }
  std::erase_if(session.states, later);
  std::erase_if(session.events, later);
  std::erase_if(session.audits, later);
}

}  // namespace

void SimulatedDisk::power_loss(double kept) {
  settle();
  const auto unsafe = static_cast<double>(told_ - safe_);
  const std::uint64_t survives =
      safe_ + static_cast<std::uint64_t>(std::floor(kept * unsafe));
  for (const std::unique_ptr<MemorySession>& session : sessions_)
    forget_behind(survives, *session);
  safe_ = told_;  // what is left is on the disk
  syncs_.clear();
}

const MemorySession* SimulatedDisk::find(const SessionId& session) const noexcept {
  for (const std::unique_ptr<MemorySession>& held : sessions_)
    if (held->id == session) return held.get();
  return nullptr;
}

MemorySession* SimulatedDisk::held(const SessionId& session) noexcept {
  return const_cast<MemorySession*>(find(session));
}

TimePoint SimulatedDisk::next_sync(TimePoint now) const noexcept {
  for (const Sync& sync : syncs_)
    if (sync.done > now) return sync.done;
  return TimePoint::max();
}

MemorySession& SimulatedDisk::begin(const SessionId& session) {
  if (full()) throw std::runtime_error("the disk is full: no record can be begun");
  const auto same = std::find_if(
      sessions_.begin(), sessions_.end(),
      [&](const std::unique_ptr<MemorySession>& held) { return held->id == session; });
  if (same != sessions_.end()) {
    for (const MemorySession::Stream& stream : (*same)->streams)
      if (stream.rows() > 0)
        throw std::runtime_error(
            "this session's record holds rows already; go on with it, "
            "or take another session");
    // Begun, and nothing done in it: it is the last one begun from now on.
    std::rotate(same, same + 1, sessions_.end());
    MemorySession& again = *sessions_.back();
    again = MemorySession{};
    again.id = session;
    return again;
  }
  sessions_.push_back(std::make_unique<MemorySession>());
  sessions_.back()->id = session;
  return *sessions_.back();
}

std::uint64_t SimulatedDisk::take(std::size_t bytes) {
  if (room_ != kBoundless) {
    room_ = bytes < room_ ? room_ - bytes : 0;
    if (room_ == 0) return 0;
  }
  if (settings_.sync_period > Duration::zero() &&
      now() - last_sync_ >= settings_.sync_period)
    sync();
  return ++told_;
}

std::uint64_t SimulatedDisk::sync() {
  ++tickets_;
  last_sync_ = now();
  syncs_.push_back({tickets_, told_, last_sync_ + settings_.sync_delay});
  return tickets_;
}

void SimulatedDisk::settle() {
  const TimePoint at = now();
  while (!syncs_.empty() && !full() && (clock_ == nullptr || syncs_.front().done <= at)) {
    safe_ = syncs_.front().number;
    done_ticket_ = syncs_.front().ticket;
    syncs_.pop_front();
  }
}

bool SimulatedDisk::synced(std::uint64_t ticket) {
  settle();
  return ticket <= done_ticket_;
}

void SimulatedDisk::sync_now() noexcept {
  if (full()) return;
  safe_ = told_;
  syncs_.clear();
  done_ticket_ = tickets_;
}

}  // namespace trestle::rehearsal
