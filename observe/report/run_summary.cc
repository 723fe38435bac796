#include "observe/report/run_summary.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/base/lost_record.h"
#include "core/base/refused_target.h"
#include "core/base/shell_word.h"
#include "core/base/time.h"
#include "observe/report/criteria_table.h"
#include "observe/report/ledger_table.h"

namespace trestle::report {
namespace {

using Json = nlohmann::ordered_json;

[[gnu::format(printf, 1, 2)]] std::string text(const char* format, ...) {
  char line[400];
  va_list values;
  va_start(values, format);
  // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): clang 14 loses the va_start above
  std::vsnprintf(line, sizeof line, format, values);
  va_end(values);
  return line;
}

/// `-` marks a number that a run does not have: for example if all targets were zero.
std::string figure(int width, int decimals, double value) {
  return std::isfinite(value) ? text("%*.*f", width, decimals, value)
                              : text("%*s", width, "-");
}

/// "12.7 mm" of a displacement, "0.41 mrad" of a rotation.
std::string motion(const evaluation::Peak& peak) {
  const bool rotation = peak.channel.ends_with("_rad");
  return text("%.4g %s", std::abs(peak.value) * 1e3, rotation ? "mrad" : "mm");
}

std::string dof_of(const evaluation::Peak& peak) {
  return peak.channel.substr(0, peak.channel.rfind(".disp_"));
}

/// Returns the largest translations, at most four.
std::vector<evaluation::Peak> largest(std::vector<evaluation::Peak> peaks) {
  std::erase_if(peaks, [](const evaluation::Peak& peak) {
    return !peak.channel.ends_with("_m") || peak.channel.starts_with("reference.");
  });
  std::stable_sort(peaks.begin(), peaks.end(),
                   [](const evaluation::Peak& a, const evaluation::Peak& b) {
                     return std::abs(a.value) > std::abs(b.value);
                   });
  if (peaks.size() > 4) peaks.resize(4);
  return peaks;
}

const char* headline(evaluation::RunResult result) {
  switch (result) {
    case evaluation::RunResult::kComplete:
      return "COMPLETE  ";
    case evaluation::RunResult::kStopped:
      return "STOPPED   ";
    case evaluation::RunResult::kSiteLost:
      return "PEER LOST ";
    case evaluation::RunResult::kRejected:
      return "REFUSED   ";
    case evaluation::RunResult::kHeld:
      return "HELD      ";
    case evaluation::RunResult::kNotFinished:
      break;
  }
  return "UNFINISHED";
}

/// A site that a person has to see to, and why; empty: it rests, or is not known.
std::string site_to_see(const evaluation::SiteReport& site) {
  switch (site.end) {
    case evaluation::SiteEnd::kFault:
      return "site " + site.name + ", which is in FAULT (trestle clear " + site.name + ")";
    case evaluation::SiteEnd::kSilent:
      return "site " + site.name + ", which has not said that it stopped";
    case evaluation::SiteEnd::kStartedAgain:
      return "site " + site.name + ", which was started again";
    case evaluation::SiteEnd::kUnknown:
    case evaluation::SiteEnd::kAtRest:
      break;
  }
  return {};
}

/// How the rigs are after the end: each site confirmed that it rests, or those that a
/// person has to see to; empty if neither is known.
std::string rigs_at_end(const evaluation::RunReport& report) {
  std::string see_to;
  bool all_rest = true;
  for (const evaluation::SiteReport& site : report.sites) {
    all_rest = all_rest && site.end == evaluation::SiteEnd::kAtRest;
    if (const std::string one = site_to_see(site); !one.empty())
      see_to += (see_to.empty() ? "see to " : ", and to ") + one;
  }
  return all_rest ? "all sites hold or are at their safe position" : see_to;
}

std::string with_capital(std::string sentence) {
  if (!sentence.empty() && sentence.front() >= 'a' && sentence.front() <= 'z')
    sentence.front() = static_cast<char>(sentence.front() - 'a' + 'A');
  return sentence;
}

/// Behind the end of a test that was stopped, and cannot be resumed.
std::string next_after_stop(const std::string& rigs, const std::string& record) {
  if (record.empty())  // nothing that a resume could continue
    return "next       no step was done: see to the reason above, then run the test "
           "again.\n" +
           (rigs.empty() ? rigs : "           " + with_capital(rigs) + ".\n");
  return "next       " + (rigs.empty() ? rigs : rigs + "; ") +
         "the record is whole up to the last step.\n           Look: " + record + "\n";
}

/// A resume met no record at a site: the next one does, too, unless it is brought back.
std::string next_after_lost_record(const evaluation::RunReport& report,
                                   const std::string& folder) {
  return text("next       the record here is as it was, with %lld steps",
              static_cast<long long>(report.steps_done)) +
         (report.steps_done > 0 ? ": trestle export " + folder + " --csv record.csv" : "") +
         ".\n           If the site's record can be brought back to its place there, do "
         "so, "
         "then: trestle resume " +
         folder +
         "\n           Without it the test cannot go on: see to the rigs, set it aside "
         "at the sites\n           with real equipment that keep theirs for it (trestle "
         "rig "
         "set-aside SITE), then run it\n           again into a separate folder:\n         "
         "  trestle run " +
         folder + "/effective.yaml --out FOLDER\n";
}

/// Returns what the person should do next.
std::string next_thing(const evaluation::RunReport& report, const RunMetadata& facts) {
  if (report.over)
    return "next       the test is over" +
           (report.steps_done > 0
                ? "; its record: trestle export " + shell_word(facts.folder) +
                      " --csv record.csv, or trestle report " + shell_word(facts.folder)
                : std::string()) +
           "\n";
  if (report.withdrawn && is_lost_record(report.reason))
    return next_after_lost_record(report, shell_word(facts.folder));
  if (report.withdrawn)
    return text(
               "next       the record is as it was, with %lld steps, and the sites keep "
               "their "
               "session; see to the\n           reason above, then: ",
               static_cast<long long>(report.steps_done)) +
           "trestle resume " + shell_word(facts.folder) + "\n";
  const std::string record =
      report.steps_done > 0
          ? "trestle export " + shell_word(facts.folder) + " --csv record.csv"
          : "";
  if (report.resumable && is_refused_target(report.reason))
    return "next       the test is held " +
           (report.steps_done > 0 ? "behind step " + std::to_string(report.steps_done - 1)
                                  : std::string("in its first step")) +
           "; " + std::string(kRefusedTargetHelp) + "\n" +
           (record.empty() ? record : "           the steps so far: " + record + "\n");
  if (report.resumable)
    return (report.steps_done > 0
                ? "next       the test is held behind step " +
                      std::to_string(report.steps_done - 1) +
                      " and can be resumed: trestle resume " + shell_word(facts.folder) +
                      "\n"
                : std::string(report.moved
                                  ? "next       no step was done, but a rig may have "
                                    "moved, by its start checks or for\n           step "
                                    "0; continue: trestle resume "
                                  : "next       the test had not begun, and nothing has "
                                    "moved; begin it: trestle resume ") +
                      shell_word(facts.folder) + "\n") +
           (record.empty() ? record : "           the steps so far: " + record + "\n");
  switch (report.result) {
    case evaluation::RunResult::kComplete:
      return "next       " + record + "\n";
    case evaluation::RunResult::kStopped:
      return next_after_stop(rigs_at_end(report), record);
    case evaluation::RunResult::kSiteLost:
      return "next       see to the site, then run the test again; sites that were reached "
             "hold "
             "by themselves\n" +
             (record.empty() ? record : "           the steps so far: " + record + "\n");
    case evaluation::RunResult::kRejected:
    case evaluation::RunResult::kHeld:
    case evaluation::RunResult::kNotFinished:
      break;
  }
  return "next       no step was done; see to the reason above, then run the test again\n";
}

/// How exactly the numerical part was computed; empty: its record does not have it.
std::string quality_line(const evaluation::ComputationQuality& quality, double time_step) {
  std::string words;
  if (std::isfinite(quality.residual))
    words = text("residual up to %.3g N at %.2f s", quality.residual,
                 static_cast<double>(quality.residual_step) * time_step);
  if (std::isfinite(quality.energy_balance))
    words += (words.empty() ? "" : "; ") +
             text("energy balance %.2g of the input", quality.energy_balance);
  return words.empty() ? words : "numerics   " + words + "\n";
}

Json quality_json(const evaluation::ComputationQuality& quality, double time_step) {
  Json json = Json::object();
  if (std::isfinite(quality.residual))
    json["residual"] = {{"largest_N", quality.residual},
                        {"time_s", static_cast<double>(quality.residual_step) * time_step}};
  if (std::isfinite(quality.energy_balance))
    json["energy_balance"] = quality.energy_balance;
  return json;
}

/// The keys are always there; null: the site did not report its control loop.
Json control_loop_json(const std::optional<TimingStatistics>& reported) {
  const TimingStatistics pace = reported.value_or(TimingStatistics{});
  Json json = {{"missed", pace.missed},
               {"slowed_ticks", pace.slowed},
               {"held_ticks", pace.held},
               {"overruns", pace.overruns},
               {"wake_p50_s", seconds(pace.wakeup_latency_p50)},
               {"wake_p99_s", seconds(pace.wakeup_latency_p99)},
               {"wake_max_s", seconds(pace.wakeup_latency_max)}};
  if (!reported)
    for (Json& value : json) value = nullptr;
  return json;
}

Json site_json(const evaluation::SiteReport& site) {
  Json entry;
  entry["name"] = site.name;
  entry["steps"] = site.steps;
  entry["tracking"] = Json::array();
  for (const evaluation::ActuatorTracking& tracking : site.tracking) {
    Json actuator = {{"actuator", tracking.actuator},
                     {"delay_s", tracking.delay},
                     {"amplitude", tracking.amplitude},
                     {"nrmse", tracking.nrmse},
                     {"peak_error", tracking.peak_error}};
    if (tracking.estimated)
      actuator["compensator"] = {{"delay_s", tracking.compensator_delay},
                                 {"amplitude", tracking.compensator_amplitude}};
    entry["tracking"].push_back(actuator);
  }
  entry["tightened_limits"] = site.tightened_limits;
  entry["clock_bound_s"] = site.clock_bound;
  entry["exchange_p50_s"] = site.exchange_p50;
  entry["exchange_p99_s"] = site.exchange_p99;
  entry["misses"] = site.misses;
  entry["late"] = site.late;
  entry["control_loop"] = control_loop_json(site.pace);
  entry["ledger"] = Json::object();
  for (const evaluation::DelayComponentReport& account : site.ledger)
    entry["ledger"][account.account] = {{"p50_s", account.p50},
                                        {"p99_s", account.p99},
                                        {"p999_s", account.p999},
                                        {"max_s", account.max}};
  return entry;
}

}  // namespace

std::string summary_json(const evaluation::RunReport& report, const RunMetadata& facts) {
  Json json;
  json["test"] = facts.test;
  json["mode"] = facts.mode;
  json["result"] = evaluation::result_name(report.result);
  if (!report.reason.empty()) json["reason"] = report.reason;
  json["resumable"] = report.resumable;
  if (!report.warnings.empty()) json["warnings"] = report.warnings;
  if (report.withdrawn) json["withdrawn"] = true;
  json["steps_planned"] = report.steps_planned;
  json["steps_done"] = report.steps_done;
  json["time_step_s"] = facts.time_step;
  json["wall_s"] = facts.wall;
  json["folder"] = facts.folder;
  json["session"] = facts.session;
  json["software"] = facts.software;
  json["sites"] = Json::array();
  for (const evaluation::SiteReport& site : report.sites)
    json["sites"].push_back(site_json(site));
  json["criteria"] = criteria_json(report.criteria);
  json["step_p50_s"] = report.step_p50_s;
  json["step_p99_s"] = report.step_p99_s;
  json["step_max_s"] = report.step_max_s;
  json["peaks"] = Json::object();
  for (const evaluation::Peak& peak : report.peaks) {
    const bool rotation = peak.channel.ends_with("_rad");
    json["peaks"][dof_of(peak)] = {
        {rotation ? "disp_rad" : "disp_m", peak.value},
        {"time_s", static_cast<double>(peak.step) * facts.time_step}};
  }
  if (Json quality = quality_json(report.quality, facts.time_step); !quality.empty())
    json["numerics"] = std::move(quality);
  return json.dump(2) + "\n";
}

std::string format_summary(const evaluation::RunReport& report, const RunMetadata& facts) {
  const double simulated = static_cast<double>(report.steps_done) * facts.time_step;
  std::string out =
      text("%s %lld of %lld steps (%.2f s) in %.2f s", headline(report.result),
           static_cast<long long>(report.steps_done),
           static_cast<long long>(report.steps_planned), simulated, facts.wall);
  // The steps of a withdrawn run are those of its record.
  if (facts.wall > 0.0 && report.steps_done > 0 && !report.withdrawn)
    out += text(", %.1f times real time, %.1f us a step", simulated / facts.wall,
                1e6 * facts.wall / static_cast<double>(report.steps_done));
  out += "\n";
  if (!report.reason.empty()) out += "because    " + report.reason + "\n";
  for (const std::string& warning : report.warnings) out += "warning    " + warning + "\n";
  if (report.step_p50_s > 0.0)
    out += text("step       p50 %.0f us, p99 %.0f us, longest %.0f us\n",
                report.step_p50_s * 1e6, report.step_p99_s * 1e6, report.step_max_s * 1e6);
  const std::vector<evaluation::Peak> peaks = largest(report.peaks);
  for (std::size_t i = 0; i < peaks.size(); ++i)
    out += text("%s%s %s at %.2f s", i == 0 ? "peaks      " : "    ",
                dof_of(peaks[i]).c_str(), motion(peaks[i]).c_str(),
                static_cast<double>(peaks[i].step) * facts.time_step);
  if (!peaks.empty()) out += "\n";
  out += quality_line(report.quality, facts.time_step);
  if (!report.sites.empty())
    out += text("%-10s %-10s %10s %10s %8s %11s %9s\n", "site", "actuator", "delay",
                "amplitude", "nrmse", "peak error", "steps");
  const std::string until =
      report.criteria.until_step
          ? text("  until step %lld", static_cast<long long>(*report.criteria.until_step))
          : "";
  for (const evaluation::SiteReport& site : report.sites) {
    for (const evaluation::ActuatorTracking& tracking : site.tracking)
      out += text("%-10s %-10s %s ms %s %s %% %s %% %9lld%s\n", site.name.c_str(),
                  tracking.actuator.c_str(), figure(7, 2, tracking.delay * 1e3).c_str(),
                  figure(10, 3, tracking.amplitude).c_str(),
                  figure(6, 2, tracking.nrmse * 1e2).c_str(),
                  figure(9, 2, tracking.peak_error * 1e2).c_str(),
                  static_cast<long long>(site.steps), until.c_str());
    for (const std::string& line : site.tightened_limits)
      out += text("%-10s own limit holds: %s\n", site.name.c_str(), line.c_str());
  }
  out += ledger_table(report, facts);
  out += criteria_table(report.criteria);
  out += "record     " + facts.folder + "\n";
  out += next_thing(report, facts);
  return out;
}

}  // namespace trestle::report
