#include "core/bus/memory_channel.h"

namespace trestle::bus {

bool MemoryChannel::push(const SessionMessage& message) {
  const std::size_t bytes = codec_.encode(message).size();
  if (bytes == 0 || order_.full()) return false;
  Slot place{ReceivedMessage::Kind::kSession};
  if (link_ && !travel(bytes, place)) return true;
  sessions_.push_back(message);
  order_.push(place);
  return true;
}

bool MemoryChannel::travel(std::size_t bytes, Slot& place) noexcept {
  const network::LinkModel::Delivery passage = link_->delivery(clock_->now(), bytes);
  place.delivered = passage.delivered;
  return !passage.lost;
}

bool MemoryChannel::pop(ReceivedMessage& into) {
  if (order_.empty()) return false;
  if (link_ && order_.front().delivered > clock_->now()) return false;
  into.kind = order_.front().kind;
  order_.pop();
  if (into.kind == ReceivedMessage::Kind::kStepCommand) {
    into.command = commands_.front();
    commands_.pop();
  } else if (into.kind == ReceivedMessage::Kind::kStepResponse) {
    into.response = responses_.front();
    responses_.pop();
  } else {
    into.session = std::move(sessions_.front());
    sessions_.pop_front();
  }
  return true;
}

TimePoint MemoryChannel::next_delivery(TimePoint now) const noexcept {
  if (!link_) return TimePoint::max();
  for (std::size_t i = 0; i < order_.size(); ++i)
    if (order_[i].delivered > now) return order_[i].delivered;  // they arrive in order
  return TimePoint::max();
}

}  // namespace trestle::bus
