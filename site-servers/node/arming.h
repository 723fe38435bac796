#pragma once

#include <string>

#include "site-servers/node/site_hold.h"
#include "site-servers/node/site_parts.h"

namespace trestle::site_node {

/// Answers Arm: checks limits and rig before it reports that the site is armed. Arms real
/// equipment only by an operator's command.
class Arming {
 public:
  Arming(const SiteParts& site, SiteHold& hold) : site_(site), hold_(hold) {}

  void arm(const Arm& arm);
  /// The loop has finished the start-up checks.
  void checks_over();
  /// Holds the rig where a check left it, and refuses to arm. @param why  a sentence
  void end_checks(const std::string& why);
  /// Another test: the rig is checked again.
  void reset() noexcept { checked_ = false; }
  /// The last Arm.
  const Arm& request() const noexcept { return request_; }

 private:
  std::string refusal_to(const Arm& arm) const;
  bool check_rig();
  void armed();

  SiteParts site_;
  SiteHold& hold_;
  bool checked_ = false;  // a Stop and another Arm need no other check
  Arm request_;
};

}  // namespace trestle::site_node
