#include "observe/live/live_line.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <vector>

#include "core/base/refused_target.h"
#include "core/types/record_names.h"
#include "observe/live/actuator_text.h"
#include "observe/live/quantity_text.h"
#include "observe/live/screen_text.h"

namespace trestle::live {
namespace {

// A step that takes longer is shown as a wait [s].
constexpr double kShownAsWait = 1.0;

template <typename... Values>
std::string formatted(const char* format, Values... values) {
  char text[120];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

std::string state_part(const TestView& view) {
  const std::string state = view.status.state.empty() ? "RECORD" : view.status.state;
  if (view.steps_planned <= 0) return state;
  return state + formatted(" %.0f %%", std::floor(view.percent()));
}

std::string time_part(const TestView& view) {
  if (view.steps_planned <= 0) return formatted("%.2f s", view.time());
  return formatted("%.2f of %.2f s", view.time(), view.end_time());
}

std::string limit_part(const TestView& view) {
  const ActuatorView* const actuator = view.nearest_limit();
  if (actuator == nullptr) return {};
  const ActuatorText text(*actuator);
  const LimitKind limit = *actuator->nearest();
  return text.name() + " " + trestle::live::name(limit) +
         formatted(" %.0f %% (", std::floor(text.nearest_ratio() * 1e2)) +
         text.nearest_detail() + ")";
}

std::string tracking_part(const TestView& view, const LiveLineNotes& notes) {
  const ActuatorView* worst = nullptr;
  for (const ActuatorView& actuator : view.actuators) {
    if (!std::isfinite(actuator.delay)) continue;
    if (worst == nullptr || std::abs(actuator.delay) > std::abs(worst->delay))
      worst = &actuator;
  }
  if (worst == nullptr) return {};
  const ActuatorText text(*worst);
  std::string part = text.name() + " " + text.delay() + " late, " + text.error() + " error";
  if (std::isfinite(notes.margin_s))
    part += formatted(", margin %.1f ms", notes.margin_s * 1e3);
  return part;
}

std::string verb_that_helps(const TestView& view) {
  const bool site = view.node != kIntegratorNode;
  if (view.status.state == "FAULT" && site) return "trestle clear";
  if (view.status.state != "HOLDING" || site) return "trestle why";
  return is_refused_target(view.status.reason) ? "trestle stop" : "trestle resume";
}

/// "HOLDING by ada@lab: look at the grips", "STOPPING: east: ..."
std::string state_and_reason(const NodeStatus& status) {
  constexpr std::string_view kHeld = "held ";
  if (status.state == "HOLDING" && status.reason.starts_with("held by "))
    return status.state + " " + status.reason.substr(kHeld.size());
  return status.state + ": " + status.reason;
}

/// It holds, or is in FAULT: why, since when, and the command that helps.
std::string stopped_line(const TestView& view, const LiveLineNotes& notes,
                         std::size_t width) {
  const std::string help = verb_that_helps(view) + " " + notes.folder;
  const std::string since = "since " + time_text(view.stands_still);
  const std::string reason = state_and_reason(view.status);
  const std::string whole = reason + "  " + since + "  " + help;
  if (display_width(whole) <= width) return whole;
  // The command is worth more than the end of the reason, which `why` tells in full.
  const std::size_t end = display_width(since) + display_width(help) + 4;
  if (end + display_width(view.status.state) + 12 > width)
    return join_by_rank({reason}, width);
  return cut_to_width(reason, width - end - 3) + "...  " + since + "  " + help;
}

}  // namespace

std::string remaining_text(const TestView& view) {
  if (!view.left) return {};
  const double left = view.left->seconds;
  const double spread = view.left->plus_minus;
  const std::string text = time_text(left);
  // In the unit of the time itself, so that both read as one number.
  const double unit = left < 120.0 ? 1.0 : left < 7200.0 ? 60.0 : 3600.0;
  if (spread / unit < 0.5) return text + " left";
  return text + formatted(" +- %.0f left", spread / unit);
}

std::string pace_text(const TestView& view) {
  if (!(view.rate > 0.0)) return {};
  std::string text =
      formatted(view.rate < 100.0 ? "%.1f steps/s" : "%.0f steps/s", view.rate);
  const double times = view.rate * view.time_step;
  if (times > 1.5) text += formatted(", %.0f x real time", times);
  return text;
}

std::string live_line(const TestView& view, const LiveLineNotes& notes, std::size_t width) {
  const std::string& state = view.status.state;
  if (!view.status.reason.empty() && state != "RUNNING")
    return stopped_line(view, notes, width);
  if (!notes.wait.empty() && view.stands_still > kShownAsWait)
    return join_by_rank(
        {"WAITING  for " + notes.wait + ", since " + time_text(view.stands_still),
         time_part(view)},
        width);
  return join_by_rank({state_part(view), time_part(view), limit_part(view),
                       remaining_text(view), pace_text(view), tracking_part(view, notes),
                       "step " + std::to_string(view.steps_done)},
                      width);
}

}  // namespace trestle::live
