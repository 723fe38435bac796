
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/terminal/exit_code.h"
#include "core/host/host_assessment.h"
#include "core/host/host_facts.h"

namespace trestle::cli {
namespace {

struct DoctorOptions {
  double seconds = 3.0;  ///< of measuring, for each scheduling [s]
  bool json = false;
};

using Json = nlohmann::ordered_json;

// The default priority of a control thread.
constexpr int kPriority = 80;

Json timer_json(const Result<host::TimerLatency>& measured) {
  if (!measured) return nullptr;
  const host::TimerLatency& late = measured.value();
  return {{"ticks", late.ticks},
          {"missed", late.missed},
          {"late_p50_ns", late.p50.count()},
          {"late_p99_ns", late.p99.count()},
          {"late_p99_9_ns", late.p999.count()},
          {"late_max_ns", late.max.count()}};
}

Json clock_json(const Result<host::ClockDiscipline>& discipline) {
  if (!discipline) return {{"synchronised", false}, {"why_not", discipline.error().detail}};
  return {{"synchronised", true},
          {"source", discipline.value().source},
          {"bound_ns", discipline.value().bound.count()}};
}

Json facts_json(const host::HostFacts& facts) {
  Json json;
  json["kernel"] = facts.kernel;
  json["preempt_rt"] = facts.preempt_rt;
  json["virtual_machine"] = facts.virtual_machine;
  json["fifo_priority"] = facts.fifo_priority;
  json["lockable_bytes"] = facts.lockable ? Json(*facts.lockable) : Json("any");
  json["cpus"] = facts.cpus;
  json["isolated_cpus"] = facts.isolated;
  json["governors"] = facts.governors;
  json["clock_source"] = facts.clock_source;
  json["realtime_share_us"] =
      facts.realtime_share_us ? Json(*facts.realtime_share_us) : Json(nullptr);
  json["system_clock"] = clock_json(facts.discipline);
  json["period_ns"] = facts.timer.period.count();
  json["timer_ordinary"] = timer_json(facts.ordinary);
  json["timer_fifo"] = timer_json(facts.fifo);
  return json;
}

Json as_json(const host::HostFacts& facts, const host::HostAssessment& verdict) {
  Json json;
  json["verdict"] = host::name(verdict.fitness);
  json["says"] = verdict.says;
  json["findings"] = Json::array();
  for (const host::Finding& finding : verdict.findings)
    json["findings"].push_back({{"about", finding.about},
                                {"says", finding.says},
                                {"standing", host::name(finding.standing)},
                                {"change", finding.change}});
  json["facts"] = facts_json(facts);
  return json;
}

void print(const host::HostAssessment& verdict) {
  std::string word = host::name(verdict.fitness);
  for (char& letter : word) letter = static_cast<char>(std::toupper(letter));
  std::printf("%-14s%s\n\n", word.c_str(), verdict.says.c_str());
  for (const host::Finding& finding : verdict.findings)
    std::printf("%-14s%-6s%s\n", finding.about.c_str(), host::name(finding.standing),
                finding.says.c_str());
  bool first = true;
  for (const host::Finding& finding : verdict.findings) {
    if (finding.change.empty()) continue;
    if (first) std::printf("\nto change\n");
    first = false;
    std::printf("%-14s%s\n", finding.about.c_str(), finding.change.c_str());
  }
}

/// Succeeds whatever it finds: a script reads the verdict in the JSON.
int doctor(const DoctorOptions& options) {
  host::TimerMeasurement timer;
  timer.length = Duration(static_cast<std::int64_t>(options.seconds * 1e9));
  timer.priority = kPriority;
  const host::HostFacts facts = host::read_host_facts(timer);
  const host::HostAssessment verdict = host::assess_host(facts);
  if (options.json)
    std::printf("%s\n", as_json(facts, verdict).dump(2).c_str());
  else
    print(verdict);
  return kExitComplete;
}

}  // namespace

void add_doctor_command(CLI::App& app, CommandList& commands) {
  const auto options = std::make_shared<DoctorOptions>();
  CLI::App* const verb =
      app.add_subcommand("doctor", "say whether this host can do real time");
  verb->add_option("--seconds", options->seconds,
                   "how long each of two schedulings is measured; default 3")
      ->check(CLI::Range(0.01, 86'400.0));
  verb->add_flag("--json", options->json, "print the result as JSON");
  commands.add(verb, [options] { return doctor(*options); });
}

}  // namespace trestle::cli
