#include "site-servers/node/longest_times.h"

#include <cstdio>
#include <optional>

#include "core/types/execution_mode.h"
#include "core/types/pace_rules.h"

namespace trestle::site_node {
namespace {

std::string in_seconds(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g s", value);
  return text;
}

std::string longer(const std::string& what, double value, double longest, const char* key) {
  if (value <= longest) return {};
  return what + " " + in_seconds(value) + "; this site takes at most " +
         in_seconds(longest) + " (longest." + key +
         " in its file); shorten it in the test, or ask the laboratory";
}

}  // namespace

std::string refusal_of_longer(const Configure& configure, const LongestTimes& longest) {
  const PacingSettings& pace = configure.pace;
  const PaceRules& rules =
      rules_of(parse_execution_mode(configure.mode).value_or(ExecutionMode::kSimulated));
  std::string why = longer("the watchdog of the test is", configure.watchdog,
                           longest.watchdog, "watchdog");
  if (why.empty())
    why = longer("the heartbeat's period of the test is", configure.heartbeat_period,
                 longest.heartbeat, "heartbeat");
  if (why.empty() && rules.timed_loop) {
    const double scale = rules.scaled_ticks ? pace.scale : 1.0;
    why = longer("a step of the test takes", configure.time_step * scale, longest.step,
                 "step");
  }
  if (why.empty() && rules.timeless)
    why = longer("the test settles for", pace.settle, longest.settle, "settle");
  if (why.empty() && rules.timeless)
    why = longer("the test averages for", pace.average, longest.average, "average");
  if (why.empty() && rules.skips_steps)
    why = longer("the latency of the test is", pace.latency_steps * configure.time_step,
                 longest.latency, "latency");
  return why;
}

std::string refusal_of_moment(const std::string& what, TimePoint at, TimePoint now,
                              double longest) {
  // For any value from the wire: as numbers these differ without an overflow.
  const double ahead = seconds(at.time_since_epoch()) - seconds(now.time_since_epoch());
  return longer(what, ahead, longest, "ahead");
}

}  // namespace trestle::site_node
