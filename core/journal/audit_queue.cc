#include "core/journal/audit_queue.h"

namespace trestle::journal {

bool AuditQueue::push(const AuditEntry& entry, std::int64_t utc_ns) {
  Slot* const slot = slots_.next();
  if (slot == nullptr) return false;
  slot->sequence = last_.sequence + 1;
  slot->utc_ns = utc_ns;
  slot->who.assign(entry.who);
  slot->from.assign(entry.from);
  slot->what.assign(entry.what);
  slot->text.assign(entry.text);
  slot->digest.assign("");
  AuditRecord record = record_of(*slot);
  record.digest = audit_digest(last_.digest, record);
  slot->digest.assign(record.digest);
  last_ = std::move(record);
  slots_.publish();
  return true;
}

AuditRecord AuditQueue::record(std::size_t at) const {
  return record_of(slots_.slot(at));
}

AuditRecord AuditQueue::record_of(const Slot& slot) {
  return {slot.sequence,
          slot.utc_ns,
          {std::string(slot.who.view()), std::string(slot.from.view()),
           std::string(slot.what.view()), std::string(slot.text.view())},
          std::string(slot.digest.view())};
}

}  // namespace trestle::journal
