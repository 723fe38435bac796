#pragma once

#include <optional>
#include <string>

#include "site-servers/node/drive_question.h"
#include "site-servers/node/interlock_release.h"
#include "site-servers/node/loop_events.h"
#include "site-servers/node/site_parts.h"
#include "site-servers/node/site_status.h"

namespace trestle::site_node {

/// Clears a latched fault by an operator's command. The control loop reads the rig once;
/// the site leaves FAULT when that read is complete and finds no fault. Meanwhile the node
/// serves its other messages. The operator's answer follows the read, after two seconds at
/// the latest.
class FaultClearing {
 public:
  struct Parts {
    DriveQuestion& question;
    LoopEvents& events;
    const SiteStatus& status;
    const InterlockRelease& release;
  };

  FaultClearing(const SiteParts& site, const Parts& parts) : site_(site), parts_(parts) {}

  /// @param drive  as of OperatorInterface::clear_from(). @pre the site is in FAULT
  /// @returns why it stays in FAULT; empty: it is cleared, or the outcome follows
  std::string clear(const std::string& by, const std::string& drive);
  /// Returns true if the outcome follows later.
  bool under_way() const noexcept { return waits_since_.has_value(); }
  /// As of OperatorInterface.
  std::optional<std::string> take_outcome();
  /// In each tick.
  void poll();
  /// When to look again for the read; max: none is expected.
  TimePoint due() const noexcept;

 private:
  void order_read();
  std::string why_still_in_fault() const;

  SiteParts site_;
  Parts parts_;
  std::optional<TimePoint> waits_since_;  // for the read; nothing: no person waits
  std::optional<std::string> outcome_;
};

}  // namespace trestle::site_node
