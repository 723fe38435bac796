#include "cli/terminal/run_terminal.h"

#include <unistd.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "core/base/refused_target.h"
#include "core/base/shell_word.h"

namespace trestle::cli {
namespace {

/// The smallest delay margin that the actuators leave by the delays that were seen [s]; not
/// a number where none is known.
double smallest_margin(const std::vector<evaluation::SiteReport>& sites,
                       const pretest::StabilityReport& stability) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  if (!stability.known || stability.cases.empty()) return kUnknown;
  double beyond = 0.0;  // the delay that the margin was computed for [s]
  bool judged = false;
  std::size_t number = 0;  // of the actuator in the test
  for (const evaluation::SiteReport& site : sites)
    for (const evaluation::ActuatorTracking& actuator : site.tracking) {
      const std::size_t place = number++;
      if (!actuator.judged) continue;
      judged = true;
      if (place < stability.actuators.size())
        beyond = std::max(beyond, actuator.delay - stability.actuators[place].left);
    }
  return judged ? stability.cases.front().compensated.margin.delay - beyond : kUnknown;
}

/// ", again: site west was restarted, ..." after the first word to arm; otherwise empty.
std::string reason_to_arm_again(const NodeStatus& status) {
  for (const PendingWait& wait : status.waits)
    if (const std::size_t at = wait.what.find(", again: "); at != std::string::npos)
      return wait.what.substr(at);
  return {};
}

}  // namespace

RunTerminal::RunTerminal(const std::string& folder, pretest::StabilityReport stability)
    : folder_(folder),
      stability_(std::move(stability)),
      terminal_(STDERR_FILENO),
      line_(folder, terminal_) {}

/// Whom the run waits for while nothing moves, and what the operator can say.
std::string RunTerminal::awaited(const composition::RunProgress& now) const {
  if (!now.waits_for_operator) return now.waiting_for;
  if (now.status.reason.empty())
    return "the operator's word to arm real equipment: trestle arm " + folder_ +
           reason_to_arm_again(now.status);
  const std::string run = shell_word(folder_);
  if (is_refused_target(now.status.reason))
    return "the operator: trestle stop " + run + " (a resume meets the same target)";
  return "the operator: trestle resume " + run + ", or trestle stop " + run;
}

void RunTerminal::show(const composition::RunProgress& now) {
  line_.show(now.status, {.folder = folder_,
                          .wait = awaited(now),
                          .margin_s = smallest_margin(now.tracking, stability_)});
}

void RunTerminal::show(const bus::ConnectionEvent& event) {
  if (event.warning) say("bus: " + event.text);
}

}  // namespace trestle::cli
