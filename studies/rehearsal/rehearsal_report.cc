#include "studies/rehearsal/rehearsal_report.h"

#include <cstdarg>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace trestle::rehearsal {
namespace {

using nlohmann::ordered_json;

// The first ones tell enough; all stand in the JSON.
constexpr std::size_t kMostBroken = 20;

[[gnu::format(printf, 1, 2)]] std::string text(const char* format, ...) {
  char line[400];
  va_list values;
  va_start(values, format);
  // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): clang 14 loses the va_start above
  std::vsnprintf(line, sizeof line, format, values);
  va_end(values);
  return line;
}

std::string row(const std::string& head,
                const std::array<std::int64_t, kOutcomes>& outcomes) {
  std::string line = text("  %-15s", head.c_str());
  for (const std::int64_t count : outcomes)
    line += text("%11lld", static_cast<long long>(count));
  return line + "\n";
}

std::string table(const RehearsalReport& report) {
  std::string lines = text("  %-15s", "fault");
  for (std::size_t i = 0; i < kOutcomes; ++i)
    lines += text("%11s", std::string(name(static_cast<Outcome>(i))).c_str());
  lines += "\n";
  for (std::size_t sort = 0; sort < kFaultSorts; ++sort)
    lines += row(std::string(name(static_cast<FaultType>(sort))), report.by_fault[sort]);
  return lines + row("all scenarios", report.outcomes);
}

ordered_json by_outcome(const std::array<std::int64_t, kOutcomes>& outcomes) {
  ordered_json object;
  for (std::size_t i = 0; i < kOutcomes; ++i)
    object[std::string(name(static_cast<Outcome>(i)))] = outcomes[i];
  return object;
}

std::string length(const RehearsalReport& report) {
  if (report.steps == report.whole_steps)
    return text("%lld steps each", static_cast<long long>(report.steps));
  return text("the first %lld of the test's %lld steps",
              static_cast<long long>(report.steps),
              static_cast<long long>(report.whole_steps));
}

}  // namespace

std::string rehearsal_text(const RehearsalReport& report,
                           const RehearsalSettings& settings) {
  std::string lines =
      text("%s  %lld scenarios of seed %llu, %s\n\n",
           report.broken.empty() ? "KEPT      " : "BROKEN    ",
           static_cast<long long>(report.scenarios),
           static_cast<unsigned long long>(settings.seed), length(report).c_str());
  lines += table(report);
  lines += text("\n  to the safe action: at most %d control ticks after an event",
                report.max_ticks_to_safe_action);
  lines += report.max_ticks_to_safe_action > 0
               ? text(" (scenario %lld)\n", static_cast<long long>(report.worst_scenario))
               : "\n";
  if (report.broken.empty()) return lines;
  lines += text(
      "\n  %zu scenarios broke a promise; one again:\n"
      "  trestle rehearse %s --seed %llu --steps %lld --scenario %lld\n\n",
      report.broken.size(), settings.test.c_str(),
      static_cast<unsigned long long>(settings.seed),
      static_cast<long long>(settings.steps),
      static_cast<long long>(report.broken.front().scenario));
  for (std::size_t i = 0; i < std::min(report.broken.size(), kMostBroken); ++i)
    lines += text("  %8lld  ", static_cast<long long>(report.broken[i].scenario)) +
             report.broken[i].violations.front() + "\n";
  if (report.broken.size() > kMostBroken) lines += "  ...\n";
  return lines;
}

std::string rehearsal_json(const RehearsalReport& report,
                           const RehearsalSettings& settings) {
  ordered_json object{{"test", settings.test},
                      {"seed", settings.seed},
                      {"steps", report.steps},
                      {"whole_steps", report.whole_steps},
                      {"scenarios", report.scenarios},
                      {"violations", report.broken.size()},
                      {"worst_ticks_to_safe_action", report.max_ticks_to_safe_action},
                      {"worst_scenario", report.worst_scenario},
                      {"outcomes", by_outcome(report.outcomes)}};
  for (std::size_t sort = 0; sort < kFaultSorts; ++sort)
    object["faults"][std::string(name(static_cast<FaultType>(sort)))] =
        by_outcome(report.by_fault[sort]);
  object["broken"] = ordered_json::array();
  for (const BrokenScenario& broken : report.broken)
    object["broken"].push_back(
        {{"scenario", broken.scenario}, {"violations", broken.violations}});
  return object.dump(2) + "\n";
}

std::string scenario_text(const ScenarioRunner::ScenarioResult& played,
                          const RehearsalSetup& bench) {
  std::string lines = "The faults:\n";
  for (const ScheduledFault& fault : played.trace.faults)
    lines += text("  from call %-7lld ", static_cast<long long>(fault.at)) +
             sentence(fault, bench.sites()) + "\n";
  lines += played.trace.real_rigs
               ? "The rigs stand for real ones: they outlive their sites' processes.\n"
               : "The rigs are simulated: they die with their sites' processes.\n";
  lines += "\n";
  for (const std::string& line : played.trace.story) lines += line + "\n";
  lines += "\nThe end: " + std::string(name(played.verdict.outcome)) +
           (played.trace.reason.empty() ? "" : ": " + played.trace.reason) +
           text("\n  to the safe action: at most %d control ticks\n",
                played.verdict.max_ticks_to_safe_action);
  for (const std::string& violation : played.verdict.violations)
    lines += "  BROKEN  " + violation + "\n";
  if (played.verdict.violations.empty()) lines += "  all promises were kept\n";
  return lines;
}

std::string scenario_json(const ScenarioRunner::ScenarioResult& played,
                          std::int64_t scenario, const RehearsalSetup& bench) {
  ordered_json faults = ordered_json::array();
  for (const ScheduledFault& fault : played.trace.faults)
    faults.push_back({{"call", fault.at},
                      {"fault", std::string(name(fault.sort))},
                      {"text", sentence(fault, bench.sites())}});
  const ordered_json object{
      {"scenario", scenario},
      {"outcome", std::string(name(played.verdict.outcome))},
      {"reason", played.trace.reason},
      {"worst_ticks_to_safe_action", played.verdict.max_ticks_to_safe_action},
      {"faults", faults},
      {"violations", played.verdict.violations},
      {"story", played.trace.story}};
  return object.dump(2) + "\n";
}

}  // namespace trestle::rehearsal
