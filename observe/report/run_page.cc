#include "observe/report/run_page.h"

#include <cmath>

#include "core/base/twin_notice.h"
#include "core/types/participant.h"
#include "core/types/record_names.h"
#include "observe/document/html_document.h"
#include "observe/plot/engineering_unit.h"
#include "observe/plot/number_format.h"
#include "observe/report/criteria_chapter.h"
#include "observe/report/ledger_chapter.h"
#include "observe/report/limit_use.h"
#include "observe/report/record_chapters.h"
#include "observe/report/recorded_evaluation.h"
#include "observe/report/run_verdict.h"
#include "observe/report/site_chapter.h"
#include "observe/report/structure_drawing.h"
#include "observe/report/whole_history.h"

namespace trestle::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostPeaks = 40;

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string yes_or_no(const std::string& fact) {
  return fact == "yes" ? "real equipment" : fact == "no" ? "simulated" : "\u2013";
}

void write_setup(document::HtmlDocument& document, const RunData& run) {
  document.chapter("What was tested");
  const std::string drawing = structure_drawing(run.effective, run);
  if (!drawing.empty()) document.picture(drawing);
  document::HtmlTable facts{.heads = {"fact", "value"}, .words_from = 1};
  facts.rows = {{"test", run.meta("test")},
                {"execution mode", run.meta("mode")},
                {"time step", plot::format_quantity(run.time_step, "s", 7)},
                {"steps planned", plot::format_count(run.steps_planned())}};
  if (!run.sites.empty())
    facts.rows.push_back({"seed", run.sites.front().contract.value("seed")});
  document.table(facts);
  document::HtmlTable sites{
      .caption = "Sites",
      .heads = {"site", "rig", "interface", "actuators", "compensator", "control tick"},
      .words_from = 1};
  for (const RecordedSiteData& site : run.sites) {
    const double ticks = site.contract.number("ticks_per_step").value_or(1.0);
    sites.rows.push_back({site.name, yes_or_no(site.contract.value("site.real_equipment")),
                          joined(site.contract.names("interface")),
                          joined(site.contract.names("actuators")),
                          site.contract.value("compensator"),
                          plot::format_quantity(run.time_step / ticks, "s")});
  }
  document.table(sites);
  std::vector<std::string> twins;
  for (const std::string& site : read_twins(run.meta(meta_key::kTwins)))
    twins.push_back(twin_notice(site));
  document.list(twins);
  document::HtmlTable people{.caption = "Participants",
                             .heads = {"name", "role", "place", "telephone"},
                             .words_from = 0};
  for (const Participant& each : read_participants(run.meta(meta_key::kParticipants)))
    people.rows.push_back({each.name, each.role, each.place, each.telephone});
  if (!people.rows.empty()) document.table(people);
  std::vector<std::string> tightened;
  const Json summary = run.summary.value_or(Json::object());
  for (const Json& site : summary.value("sites", Json::array()))
    for (const Json& line : site.value("tightened_limits", Json::array()))
      tightened.push_back("The site's own limit held, " + site.value("name", "") + ": " +
                          line.get<std::string>());
  document.list(tightened);
  std::vector<std::string> warnings;
  for (const Json& line : summary.value("warnings", Json::array()))
    warnings.push_back("Warning: " + line.get<std::string>());
  document.list(warnings);
}

/// Value of a peak in the evaluation, and its unit; NaN if it is none.
std::pair<double, std::string> peak_value(const Json& peak) {
  for (const char* key : {"disp_m", "disp_rad"})
    if (peak.contains(key) && peak.at(key).is_number())
      return {peak.at(key).get<double>(), std::string(key) == "disp_rad" ? "rad" : "m"};
  return {std::nan(""), ""};
}

void write_peaks(document::HtmlDocument& document, const Json& evaluation) {
  const Json peaks = evaluation.value("peaks", Json::object());
  document::HtmlTable table{.heads = {"degree of freedom", "peak", "at"}};
  bool references = false;
  for (const auto& [name, peak] : peaks.items())
    references = references || name.starts_with("reference.");
  if (references) table.heads.insert(table.heads.end(), {"of the reference", "ratio"});
  std::size_t left_out = 0;
  for (const auto& [name, peak] : peaks.items()) {
    const auto [value, unit] = peak_value(peak);
    if (name.starts_with("reference.") || !std::isfinite(value) || value == 0.0) continue;
    if (table.rows.size() == kMostPeaks && ++left_out > 0) continue;
    std::vector<std::string> row{name, plot::format_quantity(value, unit, 4),
                                 plot::format_fixed(peak.value("time_s", 0.0), 3) + " s"};
    if (references) {
      const double reference = peaks.contains("reference." + name)
                                   ? peak_value(peaks.at("reference." + name)).first
                                   : std::nan("");
      row.push_back(plot::format_quantity(reference, unit, 4));
      row.push_back(plot::format_fixed(std::abs(value / reference), 3));
    }
    table.rows.push_back(std::move(row));
  }
  if (table.rows.empty()) return;
  document.chapter("Peak displacements");
  document.table(table);
  if (left_out > 0)
    document.paragraph(std::to_string(left_out) +
                       " more degrees of freedom are in summary.json.");
}

void write_tracking(document::HtmlDocument& document, const RunData& run,
                    const Json& evaluation) {
  document::HtmlTable table{
      .caption =
          "A target against the response to its own step: the transfer "
          "system alone" +
          (run.summary ? std::string() : window_words(run)) + until_words(evaluation),
      .heads = {"actuator", "delay", "amplitude", "rms error", "peak error",
                "delay by the compensator"}};
  const auto number = [](const Json& json, const char* key) {
    return json.contains(key) && json.at(key).is_number() ? json.at(key).get<double>()
                                                          : std::nan("");
  };
  for (const Json& site : evaluation.at("sites"))
    for (const Json& tracking : site.at("tracking"))
      table.rows.push_back(
          {site.value("name", "") + " " + tracking.value("actuator", ""),
           plot::format_fixed(1e3 * number(tracking, "delay_s"), 2) + " ms",
           plot::format_fixed(number(tracking, "amplitude"), 3),
           plot::format_fixed(100.0 * number(tracking, "nrmse"), 2) + " %",
           plot::format_fixed(100.0 * number(tracking, "peak_error"), 2) + " %",
           tracking.contains("compensator")
               ? plot::format_fixed(1e3 * number(tracking.at("compensator"), "delay_s"),
                                    2) +
                     " ms"
               : "\u2013"});
  if (table.rows.empty()) return;
  document.chapter("Tracking");
  document.table(table);
}

}  // namespace

std::string run_page(const RunData& run, const std::string& generator) {
  const Json evaluation = evaluation_of(run);
  std::vector<LimitUse> uses;
  for (const RecordedSiteData& site : run.sites)
    for (LimitUse& use : limit_uses(site, run)) uses.push_back(std::move(use));
  const RunVerdict verdict = verdict_of(run, evaluation, uses);
  document::HtmlDocument document("Report of the test " + run.meta("test"), generator);
  document.verdict(verdict.outcome, verdict.sentence);
  document.key_figures(verdict.figures);
  write_setup(document, run);
  write_peaks(document, evaluation);
  write_tracking(document, run, evaluation);
  for (const RecordedSiteData& site : run.sites)
    write_site_chapter(document, run, site, uses);
  write_criteria_chapter(document, {evaluation});
  if (run.is_window() && !run.summary) {
    document.chapter("Criteria");
    document.paragraph(
        "The criteria are left out: they need every row, and the record has more than a "
        "report holds in memory. `trestle run` writes them into summary.json at the end of "
        "a test.");
  }
  write_ledger_chapter(document, run);
  write_notes_chapter(document, run);
  write_events_chapter(document, run);
  write_audit_chapter(document, run);
  write_configuration_chapter(document, run);
  write_specimen_chapter(document, run);
  write_calibration_chapter(document, run);
  write_provenance_chapter(document, run);
  return document.finish();
}

}  // namespace trestle::report
