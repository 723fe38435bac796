#include "adapters/plugin/conformance/conformance.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <numbers>
#include <utility>

#include "adapters/plugin/adapter_loader.h"
#include "adapters/plugin/conformance/contact_rules.h"
#include "adapters/plugin/conformance/rule_checks.h"
#include "adapters/plugin/plugin_description.h"
#include "core/base/setting_error.h"

namespace trestle::conformance {

std::vector<double> RuleChecks::drive(const RigUnderTest& rig, int n) const {
  constexpr double kFrequency = 5.0;  // [Hz]
  const double t = tick * n;
  const double size = settings.amplitude * std::min(1.0, t * kFrequency);
  const double value = size * std::sin(2.0 * std::numbers::pi * kFrequency * t);
  return std::vector<double>(rig.is().actuators, value);
}

std::int64_t RuleChecks::time_of(int n) const {
  return std::llround(tick * n * 1e9);
}

void RuleChecks::keep_time(TimePoint begun, int n) const {
  if (!real) return;
  const TimePoint due = begun + Duration{time_of(n)};
  while (clock.now() < due) clock.advance_to(due);
}

std::vector<RuleOutcome> check_conformance(const ConformanceSettings& settings,
                                           Clock& clock) {
  const plugin::LoadedAdapter plugin(settings.file, "file");
  const trestle_adapter_v1& table =
      settings.through != nullptr ? *settings.through : plugin.table();
  double tick = settings.tick;
  bool real = false;
  std::vector<plugin::ReportedValue> drives;
  {
    const RigUnderTest rig(table, settings.settings, clock);
    if (!rig.opened())
      throw SettingError("settings", "the plug-in refuses to open: " + rig.why());
    const plugin::PluginDescription is =
        plugin::describe(table, rig.handle(), settings.file, "file");
    if (tick <= 0.0) tick = is.rig.shortest_tick;
    real = is.rig.real_equipment;
    drives = is.drives;
  }
  if (settings.described) settings.described(real);
  RuleChecks checks{table, settings, clock, tick, real, std::move(drives)};
  checks.add("", "exports the entry and a table of version 1", {});
  // A C++ plug-in may throw anything, at any call.
  std::string thrown;
  for (const auto check : {check_description, check_refusal, check_reopening,
                           check_second_rig, check_ticks, check_determinism, check_motion,
                           check_hold, check_diagnosis, check_snapshot, check_contacts}) {
    try {
      check(checks);
    } catch (const SettingError&) {
      throw;
    } catch (const std::exception& error) {
      thrown = std::string("an exception came out: ") + error.what();
    } catch (...) {
      thrown = "an exception came out";
    }
  }
  checks.add("R2", "no exception leaves a function", thrown);
  return checks.found;
}

}  // namespace trestle::conformance
