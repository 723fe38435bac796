#include "core/journal/late_entry.h"

#include <filesystem>
#include <stdexcept>

#include "core/journal/audit_chain.h"
#include "core/journal/journal_file.h"
#include "core/journal/leftovers.h"
#include "core/journal/ring_file.h"
#include "core/types/record_names.h"

namespace trestle::journal {
namespace {

void add(JournalFile& journal, const AuditEntry& act, const JournalEvent& event,
         std::int64_t utc_ns) {
  const AuditRecord last = journal.last_audit();
  AuditRecord record{
      .sequence = last.sequence + 1, .utc_ns = utc_ns, .entry = act, .digest = {}};
  record.digest = audit_digest(last.digest, record);
  journal.begin(/*durable=*/true);
  try {
    journal.add_audit(record);
    journal.add_event(event);
    journal.commit();
  } catch (...) {
    journal.rollback();
    throw;
  }
  journal.finish();
}

}  // namespace

void add_late_entry(const std::string& journal, const AuditEntry& act,
                    const JournalEvent& event, std::int64_t utc_ns) {
  // SQLite would make a new database of a file that is absent or empty.
  std::error_code none;
  if (!std::filesystem::exists(journal, none) ||
      std::filesystem::file_size(journal, none) == 0)
    throw std::runtime_error("there is no journal " + journal);
  if (!recover_ring_file(journal))
    throw std::runtime_error("journal " + journal +
                             " is being written by a process that does not answer; try "
                             "again, or end it first");
  JournalFile file(journal, /*durable=*/true);
  // The lock of the process that writes: one that resumes the test now would number its
  // acts like this one.
  RingFile lock(RingFile::path_beside(journal), file.meta(meta_key::kSession).value_or(""));
  try {
    add(file, act, event, utc_ns);
  } catch (...) {
    lock.remove();
    throw;
  }
  lock.remove();
}

}  // namespace trestle::journal
