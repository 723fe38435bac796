#include "numerical/node/miss_policy.h"

#include <cmath>

namespace trestle::integrator_node {

MissPolicy::MissPolicy(const MissedResponseSettings& settings, double time_step,
                       std::size_t sites)
    : settings_(settings),
      monitors_(sites,
                MissedResponseMonitor(settings.max_consecutive, settings.max_in_window,
                                      std::llround(seconds(settings.window) / time_step))),
      made_up_(sites, false) {}

MissPolicy::Verdict MissPolicy::missed(std::size_t site) noexcept {
  const MissedResponseMonitor::Verdict verdict = monitors_[site].add(true);
  if (settings_.stop) return Verdict::kStop;
  if (verdict == MissedResponseMonitor::Verdict::kInARow) return Verdict::kInARow;
  if (verdict == MissedResponseMonitor::Verdict::kInWindow) return Verdict::kInWindow;
  made_up_[site] = true;
  return Verdict::kMakeUp;
}

void MissPolicy::close() noexcept {
  for (std::size_t site = 0; site < monitors_.size(); ++site)
    if (!made_up_[site]) monitors_[site].add(false);
}

void MissPolicy::reset_counts() noexcept {
  for (MissedResponseMonitor& monitor : monitors_) monitor.reset_counts();
}

}  // namespace trestle::integrator_node
