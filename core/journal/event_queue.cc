#include "core/journal/event_queue.h"

#include <string>

namespace trestle::journal {

bool EventQueue::push(TimePoint time, std::string_view node, std::string_view kind,
                      std::string_view text) noexcept {
  Slot* const slot = slots_.next();
  if (slot == nullptr) return false;
  slot->number = ++last_;
  slot->time = time;
  slot->node.assign(node);
  slot->kind.assign(kind);
  slot->text.assign(text);
  slots_.publish();
  return true;
}

JournalEvent EventQueue::event(std::size_t at) const {
  const Slot& slot = slots_.slot(at);
  return {slot.time, std::string(slot.node.view()), std::string(slot.kind.view()),
          std::string(slot.text.view())};
}

}  // namespace trestle::journal
