#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/journal/audit_chain.h"
#include "core/journal/fixed_text.h"
#include "core/journal/slot_queue.h"

namespace trestle::journal {

/// Audit entries on their way to the journal, each linked to the one before it when it is
/// pushed. One thread pushes, one takes; neither waits. Text that exceeds its place is cut
/// before the link is computed.
class AuditQueue {
 public:
  static constexpr std::size_t kLongestName = 127;   ///< of who, from, what [bytes]
  static constexpr std::size_t kLongestText = 1023;  ///< [bytes]

  static std::size_t area_bytes(std::size_t entries) noexcept {
    return SlotQueue<Slot>::area_bytes(entries);
  }

  /// @param last  the newest entry that the journal holds; none: sequence 0
  AuditQueue(std::size_t entries, QueueMemory area, AuditRecord last = {})
      : slots_(entries, std::move(area)), last_(std::move(last)) {}

  /// @param utc_ns  now [ns since 1970]
  /// @returns false if there was no room; it is counted, and is not part of the chain
  bool push(const AuditEntry& entry, std::int64_t utc_ns);

  /// Returns the digest of the last pushed entry; empty: none.
  const std::string& digest() const noexcept { return last_.digest; }

  std::size_t size() const noexcept { return slots_.size(); }
  /// @pre at < size(); 0 is the oldest
  AuditRecord record(std::size_t at) const;
  /// @pre count <= size()
  void pop(std::size_t count) noexcept { slots_.pop(count); }
  std::size_t capacity() const noexcept { return slots_.capacity(); }
  std::uint64_t lost() const noexcept { return slots_.lost(); }

 private:
  struct Slot {
    std::int64_t sequence = 0;
    std::int64_t utc_ns = 0;
    FixedText<kLongestName> who;
    FixedText<kLongestName> from;
    FixedText<kLongestName> what;
    FixedText<kLongestText> text;
    FixedText<64> digest;
  };

  static AuditRecord record_of(const Slot& slot);

  SlotQueue<Slot> slots_;
  AuditRecord last_;
};

}  // namespace trestle::journal
