#include "core/journal/event_queue.h"

#include <algorithm>
#include <cassert>
#include <string>

namespace trestle {
namespace {

/// Bytes of `text` that fit, without half a character of UTF-8 at the end.
std::size_t whole_characters(std::string_view text, std::size_t longest) noexcept {
  if (text.size() <= longest) return text.size();
  std::size_t length = longest;
  while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U)
    --length;
  return length;
}

}  // namespace

template <std::size_t kLongest>
void EventQueue::Text<kLongest>::assign(std::string_view text) noexcept {
  length = whole_characters(text, kLongest);
  std::copy_n(text.begin(), length, characters.begin());
}

EventQueue::EventQueue(std::size_t events) : slots_(std::max<std::size_t>(events, 1)) {}

bool EventQueue::push(TimePoint time, std::string_view node, std::string_view kind,
                      std::string_view text) noexcept {
  const std::uint64_t at = pushed_.load(std::memory_order_relaxed);
  if (at - popped_.load(std::memory_order_acquire) == slots_.size()) {
    lost_.fetch_add(1, std::memory_order_relaxed);
    return false;
  }
  Slot& slot = slots_[static_cast<std::size_t>(at % slots_.size())];
  slot.time = time;
  slot.node.assign(node);
  slot.kind.assign(kind);
  slot.text.assign(text);
  pushed_.store(at + 1, std::memory_order_release);
  return true;
}

std::size_t EventQueue::size() const noexcept {
  const std::uint64_t popped = popped_.load(std::memory_order_acquire);
  return static_cast<std::size_t>(pushed_.load(std::memory_order_acquire) - popped);
}

JournalEvent EventQueue::event(std::size_t at) const {
  assert(at < size());
  const std::uint64_t place = popped_.load(std::memory_order_relaxed) + at;
  const Slot& slot = slots_[static_cast<std::size_t>(place % slots_.size())];
  return {slot.time, std::string(slot.node.view()), std::string(slot.kind.view()),
          std::string(slot.text.view())};
}

void EventQueue::pop(std::size_t count) noexcept {
  assert(count <= size());
  popped_.store(popped_.load(std::memory_order_relaxed) + count, std::memory_order_release);
}

}  // namespace trestle
