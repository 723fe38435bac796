#include "site-servers/node/agreed_test.h"

#include <cmath>
#include <cstdio>
#include <optional>

#include "site-servers/node/agreed_limits.h"
#include "site-servers/node/specimen_mass.h"

namespace trestle::site_node {
namespace {

// Longest period that a session may ask for; far from where nanoseconds end.
constexpr double kLongestPeriod = 1e6;  // [s]
constexpr int kMostLatencySteps = 64;
// A step in lock-step is followed in one go.
constexpr int kMostTicksPerStep = 100000;

bool is_plausible(double period) noexcept {
  return period > 0.0 && period <= kLongestPeriod;
}

Duration whole_nanoseconds(double in_seconds) noexcept {
  return Duration{static_cast<std::int64_t>(in_seconds * 1e9)};
}

std::string digits(double value) {
  char written[32];
  std::snprintf(written, sizeof written, "%.6g", value);
  return written;
}

/// Returns why this frame and its load cells cannot serve these DOFs, or empty.
std::string refusal_of_layout(const InterfaceLayout& layout, const LoadingFrame& frame,
                              int reactions) {
  if (!controlled_first(layout))
    return "the test names a controlled DOF behind a force-only one";
  const std::size_t controlled = controlled_dofs(layout);
  if (static_cast<int>(controlled) != frame.interface_dofs())
    return "its loading frame has " + std::to_string(frame.interface_dofs()) +
           " interface DOFs, the test gives it " + std::to_string(controlled);
  const auto first_felt = layout.begin() + static_cast<std::ptrdiff_t>(controlled);
  if (std::string why = frame.refusal_of(InterfaceLayout(layout.begin(), first_felt));
      !why.empty())
    return why;
  const std::size_t felt = layout.size() - controlled;
  if (felt <= static_cast<std::size_t>(reactions)) return {};
  std::string names;
  for (auto dof = first_felt; dof != layout.end(); ++dof)
    names += (names.empty() ? "" : ", ") + dof->name;
  return "its rig has load cells for " + std::to_string(reactions) +
         " force-only DOFs, the test asks it for " + std::to_string(felt) + " (" + names +
         ")";
}

/// Why these periods cannot work, or empty.
std::string refusal_of_times(const Configure& configure, double shortest_tick) {
  if (!is_plausible(configure.time_step) || configure.ticks_per_step < 1)
    return "the time step is " + digits(configure.time_step) + " s with " +
           std::to_string(configure.ticks_per_step) +
           " control ticks; both must be above zero";
  if (configure.ticks_per_step > kMostTicksPerStep)
    return "a step has " + std::to_string(configure.ticks_per_step) +
           " control ticks; at most " + std::to_string(kMostTicksPerStep);
  const double tick = configure.time_step * configure.pace.scale / configure.ticks_per_step;
  if (!(tick >= shortest_tick))
    return "a control tick would take " + digits(tick * 1e3) + " ms; its shortest is " +
           digits(shortest_tick * 1e3) + " ms";
  if (!is_plausible(configure.heartbeat_period) || !is_plausible(configure.watchdog) ||
      configure.watchdog <= configure.heartbeat_period)
    return "the watchdog of " + digits(configure.watchdog) +
           " s must be longer than the heartbeat's period of " +
           digits(configure.heartbeat_period) + " s, and both above zero";
  return {};
}

/// Why this pace cannot be kept, or empty.
std::string refusal_of_pace(const Configure& configure) {
  const PacingSettings& pace = configure.pace;
  const bool sound =
      pace.scale >= 1.0 && pace.scale <= 1e6 && pace.order >= 1 && pace.order <= 4 &&
      pace.slow_down_after > 0.0 && pace.slow_down_after < 1.0 &&
      pace.hold_after > pace.slow_down_after && pace.hold_after <= 1.0 && pace.rate > 0.0 &&
      pace.rotation_rate > 0.0 && pace.settle >= 0.0 && pace.settle <= kLongestPeriod &&
      pace.average >= 0.0 && pace.average <= kLongestPeriod && pace.latency_steps >= 0 &&
      pace.latency_steps <= kMostLatencySteps;
  return sound ? std::string() : "a setting of mode " + configure.mode + " makes no sense";
}

}  // namespace

const PaceRules* rules_named(const std::string& mode) noexcept {
  const std::optional<ExecutionMode> named = parse_execution_mode(mode);
  return named ? &rules_of(*named) : nullptr;
}

double AgreedTest::tick() const noexcept {
  const double scale = rules->scaled_ticks ? configure.pace.scale : 1.0;
  return configure.time_step * scale / configure.ticks_per_step;
}

Duration AgreedTest::ticks(double count) const noexcept {
  return Duration{std::llround(count * tick() * 1e9)};
}

Duration AgreedTest::watchdog() const noexcept {
  return whole_nanoseconds(configure.watchdog);
}

Duration AgreedTest::heartbeat_period() const noexcept {
  return whole_nanoseconds(configure.heartbeat_period);
}

std::string refusal_of_test(const Configure& configure, const SiteSettings& site,
                            const RigDescription& rig, std::size_t accelerometers) {
  if (configure.session == SessionId{}) return "the session has no id";
  const PaceRules* const rules = rules_named(configure.mode);
  if (rules == nullptr) return "it cannot run in mode " + configure.mode;
  // Its limits of rate are by the control tick, which only has its length on a paced clock.
  if (rig.real_equipment && !rules->timed_loop)
    return "it is real equipment, and mode simulated goes as fast as it can; take "
           "pseudo-dynamic, continuous or real-time";
  if (std::string why = refusal_of_pace(configure); !why.empty()) return why;
  std::string why = refusal_of_layout(configure.layout, *site.loading_frame, rig.reactions);
  if (!why.empty()) return why;
  why = refusal_of_limits(configure.layout, configure.limits, rig.actuators.size());
  if (!why.empty()) return why;
  why = refusal_of_mass(configure);
  if (why.empty()) why = refusal_of_inertia(configure, accelerometers);
  if (!why.empty()) return why;
  why = refusal_of_times(configure, rig.shortest_tick);
  return why.empty() ? refusal_of_longer(configure, site.longest) : why;
}

}  // namespace trestle::site_node
