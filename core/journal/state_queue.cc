#include "core/journal/state_queue.h"

#include <stdexcept>
#include <string>

namespace trestle::journal {

void StateQueue::save(RingFile& rings, std::int64_t step, std::span<const double> state) {
  StateBuffer* to = current_.load(std::memory_order_relaxed);
  if (to == nullptr || to->capacity() < state.size())
    to = &make_buffer(rings, state.size());
  to->put(++sequence_, step, state);
}

StateBuffer& StateQueue::make_buffer(RingFile& rings, std::size_t values) {
  const std::size_t room = values + values / 2 + 64;
  if (count_ == kMaxBuffers)
    throw std::length_error("the state of step after step grows without end, to " +
                            std::to_string(values) + " values");
  buffers_[count_] = std::make_unique<StateBuffer>(
      room, rings.add(RingFile::Kind::kState, "", 1, room, StateBuffer::area_bytes(room)));
  StateBuffer& made = *buffers_[count_++];
  current_.store(&made, std::memory_order_release);
  return made;
}

void StateQueue::take() noexcept {
  StateBuffer* const buffer = current_.load(std::memory_order_acquire);
  if (buffer == nullptr) return;
  if (const auto newest = buffer->take()) taken_ = newest;
}

}  // namespace trestle::journal
