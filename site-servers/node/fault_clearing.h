#pragma once

#include <string>

#include "site-servers/node/drive_question.h"
#include "site-servers/node/loop_events.h"
#include "site-servers/node/site_parts.h"
#include "site-servers/node/site_status.h"

namespace trestle {

/// Clears a latched fault by a person's word. Then the rig is read once: if the cause is
/// still there, the site is in FAULT again.
class FaultClearing {
 public:
  struct Parts {
    DriveQuestion& question;
    LoopEvents& events;
    const SiteStatus& status;
    const Clock& clock;
  };

  FaultClearing(const SiteParts& site, const Parts& parts) : site_(site), parts_(parts) {}

  /// @param drive  as of OperatorInterface::clear_from(). @pre the site is in FAULT
  /// @returns why it is in FAULT still, or empty
  std::string clear(const std::string& by, const std::string& drive);

 private:
  void clear_loop();
  std::string why_still_in_fault() const;

  SiteParts site_;
  Parts parts_;
};

}  // namespace trestle
