#include "site-servers/node/site_rig.h"

#include <algorithm>
#include <cmath>

namespace trestle::site_node {
namespace {

// For real equipment: the longer of this time and this number of ticks.
constexpr Duration kStall = std::chrono::milliseconds(100);
constexpr double kStallTicks = 20.0;
constexpr Duration kStallOfSimulated = std::chrono::seconds(5);

}  // namespace

SiteRig::SiteRig(SiteAdapter& adapter, const SiteSettings& settings,
                 const AgreedTest& agreed, const Clock& clock)
    : adapter_(adapter),
      settings_(settings),
      agreed_(agreed),
      description_(adapter.description()),
      tared_(std::make_unique<TaredRig>(adapter)),
      guard_(std::make_unique<StallGuard>(*tared_, clock, settings.watch.hangs)) {}

bool SiteRig::timed() const noexcept {
  return settings_.loop_executor != nullptr && agreed_.rules->timed_loop;
}

bool SiteRig::by_loop() const noexcept {
  return real() && agreed_.rules->timed_loop;
}

RigRun SiteRig::run() const {
  return {agreed_.tick(), agreed_.configure.seed, timed()};
}

/// A control cycle that takes longer has stalled.
Duration SiteRig::patience(double tick) const noexcept {
  if (settings_.watch.stall > Duration::zero()) return settings_.watch.stall;
  if (!real()) return kStallOfSimulated;
  return std::max<Duration>(kStall, Duration{std::llround(kStallTicks * tick * 1e9)});
}

}  // namespace trestle::site_node
