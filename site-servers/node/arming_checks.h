#pragma once

#include <atomic>
#include <string>
#include <utility>

#include "core/base/time.h"
#include "site-servers/checks/startup_checks.h"
#include "site-servers/node/control_loop.h"
#include "site-servers/node/loop_errand.h"

namespace trestle::site_node {

/// The start-up checks of real equipment on the thread of its control loop, so that a
/// hanging rig does not block the node. At their end the rig is requested to hold: no tick
/// follows until the test starts.
class ArmingChecks final : public LoopErrand {
 public:
  /// @param rig   outlives this, and any tick
  /// @param loop  the same; joins what the rig was given here
  /// @param tick  control tick δt
  ArmingChecks(checks::StartupChecks checks, SiteAdapter& rig, ControlLoop& loop,
               Duration tick)
      : checks_(std::move(checks)), rig_(rig), loop_(loop), tick_(tick) {}

  bool tick(std::int64_t number) noexcept override;

  // --- any thread ---

  /// @returns whether no tick is under way and none follows: the caller may ask the rig to
  ///          hold. Otherwise that tick does so at its end, behind its drive.
  bool give_up() noexcept {
    given_up_ = true;  // sequentially consistent, as in tick()
    return !in_tick_;
  }
  bool given_up() const noexcept { return given_up_; }

  // --- when tick() has said that it was the last ---

  /// As StartupChecks::refusal().
  std::string refusal() const { return checks_.refusal(); }
  DriveInForce stood() const noexcept {
    return {checks_.drive(), checks_.drive(), checks_.drive(), checks_.measured()};
  }

 private:
  checks::StartupChecks checks_;
  SiteAdapter& rig_;
  ControlLoop& loop_;
  Duration tick_;
  std::atomic<bool> given_up_{false};
  std::atomic<bool> in_tick_{false};
};

}  // namespace trestle::site_node
