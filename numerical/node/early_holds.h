#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/types/audit_entry.h"
#include "core/types/message.h"
#include "numerical/node/run_parts.h"

namespace trestle::integrator_node {

/// Holds by persons at sites before the record of a test is replayed: the command that
/// began this process no longer counts. A site tells its hold to each process until one has
/// answered, so it is answered when it is on record, not before.
class EarlyHolds {
 public:
  explicit EarlyHolds(const RunParts& run) : run_(run) {}

  /// @param why   the sentence of the cause. @param said  of the audit
  void add(SitePeer& peer, const std::string& why, const AuditEntry& said);
  /// The same of one that is on the record, and that no resume follows.
  void recall(const AuditEntry& held);
  /// The record is open, or never will be.
  void answer();
  bool owes_answer(const SitePeer& peer) const noexcept;

  bool any() const noexcept { return !last_.reason.empty(); }
  /// One of them was said to this process: no word on the record knows of it.
  bool told() const noexcept { return told_; }
  /// Returns the last one as it is forwarded to the sites.
  const Halt& last() const noexcept { return last_; }

 private:
  RunParts run_;
  Halt last_;
  bool told_ = false;
  std::vector<std::pair<SitePeer*, AuditEntry>> unanswered_;
};

}  // namespace trestle::integrator_node
