#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/types/audit_entry.h"

namespace trestle::journal {

/// An audited act as the journal keeps it.
struct AuditRecord {
  std::int64_t sequence = 0;  ///< 1, 2, 3, ...
  std::int64_t utc_ns = 0;    ///< by the system's clock, for display only [ns since 1970]
  AuditEntry entry;
  std::string digest;  ///< 64 hexadecimal digits; see audit_digest()
  bool operator==(const AuditRecord&) const = default;
};

/// SHA-256 over the digest of the entry before (of the first: empty text), and this entry's
/// sequence, utc_ns, who, from, what and text. Numbers are 8 bytes, little-endian; texts
/// are their length as such a number, then their bytes.
std::string audit_digest(std::string_view previous, const AuditRecord& record);

/// The result of the verification of a whole chain.
struct AuditVerification {
  std::vector<AuditRecord> entries;
  std::optional<std::int64_t> broken;  ///< sequence of the first entry that does not follow
  std::string sentence;                ///< error of the chain; empty: none
  /// Digest of the last entry in the chain; empty: no entries. A copy kept elsewhere proves
  /// that no entry is missing at the end.
  std::string digest;
};

/// @throws std::runtime_error if `path` is no journal that can be read
AuditVerification verify_audit(const std::string& path);

}  // namespace trestle::journal
