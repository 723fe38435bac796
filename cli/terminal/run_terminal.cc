#include "cli/terminal/run_terminal.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "composition/processes/connection_events.h"

namespace trestle {
namespace {

/// Largest deviations of a site's actuators.
struct SiteTracking {
  bool judged = false;  ///< an actuator has moved enough
  double delay = 0.0;   ///< [s]
  double amplitude_error = 0.0;
  double beyond_margin =
      0.0;  ///< delay beyond the one that the margin was computed for [s]
};

/// @param number  of the site's first actuator in the test; becomes that of the next site
SiteTracking largest_of(const SiteReport& site, const StabilityReport& stability,
                        std::size_t& number) {
  SiteTracking largest;
  for (const ActuatorTracking& actuator : site.tracking) {
    const std::size_t place = number++;
    if (!actuator.judged) continue;
    largest.judged = true;
    if (std::abs(actuator.delay) > std::abs(largest.delay)) largest.delay = actuator.delay;
    largest.amplitude_error =
        std::max(largest.amplitude_error, std::abs(actuator.amplitude - 1.0));
    if (place < stability.actuators.size())
      largest.beyond_margin =
          std::max(largest.beyond_margin, actuator.delay - stability.actuators[place].left);
  }
  return largest;
}

/// "   west 0.4 ms late, 1.1 % error, margin 1.9 ms", site by site; nothing of an actuator
/// that has moved too little to be judged.
std::string tracking_text(const std::vector<SiteReport>& sites,
                          const StabilityReport& stability) {
  std::string text;
  std::size_t number = 0;
  for (const SiteReport& site : sites) {
    const SiteTracking largest = largest_of(site, stability, number);
    if (!largest.judged) continue;
    char part[120];
    std::snprintf(part, sizeof part, "   %s %.1f ms late, %.1f %% amplitude error",
                  site.name.c_str(), largest.delay * 1e3, largest.amplitude_error * 1e2);
    text += part;
    if (stability.known && !stability.cases.empty()) {
      const double margin =
          stability.cases.front().compensated.margin.delay - largest.beyond_margin;
      std::snprintf(part, sizeof part, ", margin %.1f ms", margin * 1e3);
      text += part;
    }
  }
  return text;
}

}  // namespace

RunTerminal::RunTerminal(std::string folder, std::int64_t steps_planned, double time_step,
                         StabilityReport stability)
    : folder_(std::move(folder)),
      stability_(std::move(stability)),
      terminal_(STDERR_FILENO),
      progress_(steps_planned, time_step, terminal_) {}

/// The command that the operator must give, and where.
std::string RunTerminal::operator_awaited(const RunProgress& now) const {
  if (now.reason.empty())
    return "the operator's word to arm real equipment: trestle arm " + folder_;
  return "the operator: trestle resume " + folder_ + ", or trestle stop " + folder_ +
         "; it holds: " + now.reason;
}

void RunTerminal::show(const RunProgress& now) {
  if (now.waits_for_operator)
    progress_.show_wait(now.steps_done, operator_awaited(now));
  else
    progress_.show(now.steps_done, now.waiting_for,
                   tracking_text(now.tracking, stability_));
}

void RunTerminal::show(const ConnectionEvent& event) {
  print_connection_event(terminal_, event);
}

}  // namespace trestle
