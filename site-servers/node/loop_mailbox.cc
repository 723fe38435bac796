#include "site-servers/node/loop_mailbox.h"

namespace trestle::site_node {
namespace {

constexpr std::size_t kCommandPlaces = 256;
constexpr std::size_t kStepPlaces = 256;
constexpr std::size_t kEventPlaces = 256;
// Room that is kept for events that must not be lost.
constexpr std::size_t kReserve = 16;

constexpr std::int64_t since_epoch(TimePoint time) noexcept {
  return time.time_since_epoch().count();
}

}  // namespace

LoopMailbox::LoopMailbox()
    : commands_(kCommandPlaces),
      steps_(kStepPlaces),
      events_(kEventPlaces),
      response_expected_(since_epoch(TimePoint::max())) {}

bool LoopMailbox::push_command(const LoopCommand& command) noexcept {
  LoopCommand* const place = commands_.place();
  if (place == nullptr) return false;
  *place = command;
  place->sequence = ++sequence_;
  commands_.publish();
  return true;
}

bool LoopMailbox::push_step(const StepCommand& command, const StepTimes& times) noexcept {
  if (!keep_step(command, times)) return false;
  push_kept_step();
  return true;
}

bool LoopMailbox::keep_step(const StepCommand& command, const StepTimes& times) noexcept {
  StepCommandItem* const place = steps_.place();
  if (place == nullptr) return false;
  place->command = command;
  place->times = times;
  place->dropped = false;
  return true;
}

void LoopMailbox::push_kept_step() noexcept {
  // Room does not become less before this thread pushes.
  steps_.place()->sequence = ++sequence_;
  steps_.publish();
}

void LoopMailbox::message_received(TimePoint now) noexcept {
  heard_.store(since_epoch(now), std::memory_order_relaxed);
}

TimePoint LoopMailbox::response_expected_at() const noexcept {
  return TimePoint{Duration{response_expected_.load(std::memory_order_relaxed)}};
}

/// A visible command makes every step before it visible, and vice versa: so each queue is
/// read again after the other.
LoopMailbox::Arrival LoopMailbox::next_arrival() const noexcept {
  const StepCommandItem* step = steps_.behind_front(queued_);
  const LoopCommand* const command = commands_.front();
  if (command == nullptr) return {nullptr, step != nullptr};
  if (step == nullptr) step = steps_.behind_front(queued_);
  if (step != nullptr && step->sequence < command->sequence) return {nullptr, true};
  return {command, false};
}

void LoopMailbox::drop_step() noexcept {
  if (queued_ == 0) return steps_.pop();
  // One before it may still have its turn.
  steps_.behind_front(queued_)->dropped = true;
  ++queued_;
}

const StepCommandItem* LoopMailbox::front_step() const noexcept {
  return queued_ == 0 ? nullptr : steps_.front();
}

void LoopMailbox::pop_step() noexcept {
  do {
    steps_.pop();
    --queued_;
  } while (queued_ > 0 && steps_.front()->dropped);
}

void LoopMailbox::clear_steps() noexcept {
  for (; queued_ > 0; --queued_) steps_.pop();
}

bool LoopMailbox::has_room_to_spare() const noexcept {
  return events_.room() > kReserve;
}

TimePoint LoopMailbox::heard_at() const noexcept {
  return TimePoint{Duration{heard_.load(std::memory_order_relaxed)}};
}

void LoopMailbox::expect_response(TimePoint at) noexcept {
  response_expected_.store(since_epoch(at), std::memory_order_relaxed);
}

void LoopMailbox::set_motion(bool holds, bool acts_safely) noexcept {
  holds_.store(holds, std::memory_order_release);
  acts_safely_.store(acts_safely, std::memory_order_release);
}

}  // namespace trestle::site_node
