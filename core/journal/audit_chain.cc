#include "core/journal/audit_chain.h"

#include "core/base/sha256.h"
#include "core/journal/journal_reader.h"

namespace trestle::journal {

std::string audit_digest(std::string_view previous, const AuditRecord& record) {
  return Sha256()
      .add_field(previous)
      .add_number(static_cast<std::uint64_t>(record.sequence))
      .add_number(static_cast<std::uint64_t>(record.utc_ns))
      .add_field(record.entry.who)
      .add_field(record.entry.from)
      .add_field(record.entry.what)
      .add_field(record.entry.text)
      .to_hex();
}

AuditVerification verify_audit(const std::string& path) {
  AuditVerification verdict;
  verdict.entries = JournalReader(path).audit();
  std::int64_t expected = 1;
  std::string previous;
  for (const AuditRecord& record : verdict.entries) {
    const std::string which =
        "journal " + path + ": audit entry " + std::to_string(record.sequence);
    if (record.sequence != expected)
      verdict.sentence = which + " stands where entry " + std::to_string(expected) +
                         " should: one was taken out or put in";
    else if (record.digest != audit_digest(previous, record))
      verdict.sentence = which +
                         " is not what was written then, or the one before it is "
                         "not: its digest does not follow";
    if (!verdict.sentence.empty()) {
      verdict.broken = record.sequence;
      break;
    }
    previous = record.digest;
    ++expected;
  }
  if (!verdict.entries.empty()) verdict.digest = verdict.entries.back().digest;
  return verdict;
}

}  // namespace trestle::journal
