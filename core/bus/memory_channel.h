#pragma once

#include <cassert>
#include <cstddef>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "core/bus/message_codec.h"
#include "core/network/link_model.h"
#include "core/ports/clock.h"
#include "core/ports/transport.h"

namespace trestle::bus {

/// Bounded first-in first-out room, made once.
template <typename Message>
class Ring {
 public:
  explicit Ring(std::size_t length) : places_(length) {}

  bool full() const noexcept { return count_ == places_.size(); }
  bool empty() const noexcept { return count_ == 0; }
  std::size_t size() const noexcept { return count_; }
  void push(const Message& message) noexcept {
    places_[place(count_)] = message;
    ++count_;
  }
  const Message& front() const noexcept { return places_[first_]; }
  const Message& operator[](std::size_t index) const noexcept {
    return places_[place(index)];
  }
  void pop() noexcept {
    first_ = place(1);
    --count_;
  }

 private:
  std::size_t place(std::size_t index) const noexcept {
    const std::size_t at = first_ + index;
    return at < places_.size() ? at : at - places_.size();
  }

  std::vector<Message> places_;
  std::size_t first_ = 0;
  std::size_t count_ = 0;
};

/// One direction between two nodes of one thread. The order of all messages is kept in one
/// ring of kinds; each kind's content waits in its own.
class MemoryChannel {
 public:
  /// At once, or over a link by this clock, which must outlive it.
  MemoryChannel(std::size_t length, MessageCodec& codec)
      : codec_(codec), order_(length), commands_(length), responses_(length) {}
  MemoryChannel(std::size_t length, MessageCodec& codec, const network::LinkModel& link,
                const Clock& clock)
      : MemoryChannel(length, codec) {
    link_.emplace(link);
    clock_ = &clock;
  }

  /// @pre has_consistent_sizes(message)
  bool push(const StepCommand& message) noexcept { return push_step(message, commands_); }
  bool push(const StepResponse& message) noexcept { return push_step(message, responses_); }
  bool push(const SessionMessage& message);

  /// Takes the next message that has arrived. @returns false if no message has arrived
  bool pop(ReceivedMessage& into);

  /// Returns true if an unread message has arrived.
  bool unread() const noexcept {
    return !order_.empty() && (!link_ || order_.front().delivered <= clock_->now());
  }

  /// As MemoryNetwork::next_delivery().
  TimePoint next_delivery(TimePoint now) const noexcept;

 private:
  struct Slot {
    ReceivedMessage::Kind kind = ReceivedMessage::Kind::kMalformed;
    TimePoint delivered{};
  };

  template <typename Step>
  bool push_step(const Step& message, Ring<Step>& contents) noexcept {
    assert(has_consistent_sizes(message));
    if (order_.full()) return false;
    Slot place{std::is_same_v<Step, StepCommand> ? ReceivedMessage::Kind::kStepCommand
                                                 : ReceivedMessage::Kind::kStepResponse};
    if (link_ && !travel(codec_.encode(message).size(), place)) return true;
    contents.push(message);
    order_.push(place);
    return true;
  }

  /// @returns false if it never arrives
  bool travel(std::size_t bytes, Slot& place) noexcept;

  MessageCodec& codec_;
  std::optional<network::LinkModel> link_;
  const Clock* clock_ = nullptr;
  Ring<Slot> order_;
  Ring<StepCommand> commands_;
  Ring<StepResponse> responses_;
  std::deque<SessionMessage> sessions_;
};

}  // namespace trestle::bus
