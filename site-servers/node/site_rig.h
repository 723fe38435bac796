#pragma once

#include <memory>
#include <string>
#include <utility>

#include "core/ports/clock.h"
#include "core/ports/site_adapter.h"
#include "site-servers/node/agreed_test.h"
#include "site-servers/node/site_settings.h"
#include "site-servers/node/stall_guard.h"
#include "site-servers/node/tared_rig.h"

namespace trestle::site_node {

/// The rig of a site, behind its tare and the guard that watches each of its calls, and how
/// the agreed test drives it.
class SiteRig {
 public:
  /// All outlive this.
  SiteRig(SiteAdapter& adapter, const SiteSettings& settings, const AgreedTest& agreed,
          const Clock& clock);

  const RigDescription& description() const noexcept { return description_; }
  /// Equipment that can break, and whose state is measured, never restored.
  bool real() const noexcept { return description_.real_equipment; }
  /// The adapter, watched.
  StallGuard& guard() noexcept { return *guard_; }
  const StallGuard& guard() const noexcept { return *guard_; }

  /// The tared adapter without the watch: for calls that may block.
  SiteAdapter& equipment() noexcept { return *tared_; }
  const RigTare& tare() const noexcept { return tared_->tare(); }
  /// As of TaredRig::set(), with the limits of the site's file.
  std::string set_tare(const RigTare& tare) { return tared_->set(tare, settings_.limits); }

  /// Ticks go by the wall clock.
  bool timed() const noexcept;
  /// The control thread alone reads and writes: a rig that hangs does not stop the node.
  bool by_loop() const noexcept;
  RigRun run() const;
  /// Prepares the rig for the agreed test, on this thread.
  /// @throws std::runtime_error  the rig cannot run
  void prepare() { guard_->prepare(run()); }
  /// Watches each call, by the patience of the agreed test.
  /// @param forgives  as of StallGuard::watch()
  void watch(bool forgives) { guard_->watch(patience(agreed_.tick()), forgives); }
  /// The same for a command between two tests. @param tick  its control tick [s]
  void watch_command(double tick) { guard_->watch(patience(tick), !real()); }
  /// The control loop has not stalled, and the rig's driver responds.
  bool responds() const noexcept { return !guard_->stalled() && adapter_.responds(); }
  /// As of its last call, which may be long ago: nothing is called in some faults.
  bool driver_responds() const noexcept { return adapter_.responds(); }

  /// What the host refused to the rig's driver (SiteAdapter::host_refusals()).
  std::vector<std::string> host_refusals() const { return adapter_.host_refusals(); }

  /// Gives up the guard, and the tare that it refers to, to a thread that is in it still.
  std::unique_ptr<StallGuard> release() noexcept {
    [[maybe_unused]] const TaredRig* const kept = tared_.release();
    return std::move(guard_);
  }

 private:
  Duration patience(double tick) const noexcept;

  SiteAdapter& adapter_;
  const SiteSettings& settings_;
  const AgreedTest& agreed_;
  RigDescription description_;
  std::unique_ptr<TaredRig> tared_;
  std::unique_ptr<StallGuard> guard_;
};

}  // namespace trestle::site_node
