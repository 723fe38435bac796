#pragma once

#include <memory>
#include <optional>
#include <string>

#include "site-servers/node/rest_readings.h"
#include "site-servers/node/site_cause.h"
#include "site-servers/node/site_hold.h"
#include "site-servers/node/site_parts.h"

namespace trestle::site_node {

/// Answers Arm: checks limits and rig before it reports that the site is armed. Arms real
/// equipment only by an operator's command.
class Arming {
 public:
  Arming(const SiteParts& site, SiteHold& hold) : site_(site), hold_(hold) {}
  ~Arming() { drop_readings(); }
  Arming(const Arming&) = delete;
  Arming& operator=(const Arming&) = delete;

  /// The site has agreed to a test: real equipment is read until it is armed, and not
  /// driven.
  void begin_readings();
  void arm(const Arm& arm);
  /// The loop has finished the readings, or the start-up checks.
  void errand_over();
  /// A person holds the rig before the first step, where a check left it: it is not armed
  /// in this session, and not started.
  void hold(const SiteCause& cause, const std::string& by);
  /// Tells the integrator of such a hold once more. @returns false: there is none
  bool tell_held();
  /// Another test: the rig is checked again.
  /// @pre no loop of the last test is left, or it hangs
  void reset() noexcept {
    checked_ = false;
    held_.reset();
    drop_readings();
  }
  /// The last Arm.
  const Arm& request() const noexcept { return request_; }

 private:
  void checks_over();
  void drop_readings() noexcept;
  std::string refusal_to(const Arm& arm) const;
  bool check_rig();
  void armed();

  struct Held {
    SiteCause cause;
    std::string by;
  };

  SiteParts site_;
  SiteHold& hold_;
  std::optional<Held> held_;
  bool checked_ = false;  // a Stop and another Arm need no other check
  Arm request_;
  std::unique_ptr<RestReadings> readings_;  // until the loop uses it no more
};

}  // namespace trestle::site_node
