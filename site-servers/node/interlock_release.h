#pragma once

#include <memory>
#include <string>

#include "site-servers/node/rig_preparation.h"
#include "site-servers/node/rig_service.h"
#include "site-servers/node/site_parts.h"

namespace trestle::site_node {

/// Releases the pressure of a rig after the fault of an interlock whose reaction is
/// `release`: once the rig holds and nothing ticks any more, on a separate thread, because
/// the rig's driver may take its time. The drive in force is unknown afterwards, and the
/// rig has to be prepared again, which a new process of the site does.
class InterlockRelease {
 public:
  InterlockRelease(const SiteParts& site, const RigService& service)
      : site_(site), service_(service) {}

  /// In each tick of the node.
  void poll();
  /// Why the fault cannot be cleared in this process; empty: it can.
  std::string why_not_cleared() const;
  /// What the fault waits for, as of PendingWait; empty: nothing is or was released.
  std::string awaited() const;
  /// When to look again; max: nothing is under way.
  TimePoint due() const noexcept;

 private:
  enum class State { kNone, kUnderWay, kDone };

  bool is_wanted() const noexcept;
  void keep_act();

  SiteParts site_;
  const RigService& service_;
  State state_ = State::kNone;
  std::unique_ptr<RigPreparation> release_;
  std::string problem_;  // why it is not released
};

}  // namespace trestle::site_node
