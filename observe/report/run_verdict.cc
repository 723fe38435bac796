#include "observe/report/run_verdict.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/base/refused_target.h"
#include "core/types/record_names.h"
#include "observe/plot/engineering_unit.h"
#include "observe/plot/number_format.h"
#include "observe/report/recorded_evaluation.h"
#include "observe/report/whole_history.h"

namespace trestle::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kNearLimit = 0.85;

struct OutcomeWord {
  const char* result;  ///< of summary.json
  const char* word;
  document::OutcomeKind outcome;
};

constexpr OutcomeWord kOutcomeWords[] = {
    {"complete", "COMPLETE", document::OutcomeKind::kGood},
    {"stopped", "STOPPED", document::OutcomeKind::kBad},
    {"peer lost", "SITE LOST", document::OutcomeKind::kBad},
    {"refused", "REFUSED", document::OutcomeKind::kBad},
    {"held", "HELD", document::OutcomeKind::kAttention}};

/// Why the test holds or has ended, as its events tell it.
struct RecordedStop {
  std::string reason;    ///< empty: the events tell none, or the test was resumed behind it
  bool resumed = false;  ///< it was resumed, and no later event says that it holds
};

/// A sentence as part of another one.
std::string without_full_stop(std::string text) {
  while (!text.empty() && (text.back() == '.' || text.back() == '\n')) text.pop_back();
  return text;
}

/// An event's reason to hold or to end; empty: it is no such event.
std::string reason_of(const journal::JournalEvent& event) {
  constexpr std::string_view kHolding = "HOLDING: ";
  if (event.kind == "fault") return event.node + ": " + without_full_stop(event.text);
  return event.text.starts_with(kHolding)
             ? without_full_stop(event.text.substr(kHolding.size()))
             : std::string();
}

RecordedStop recorded_stop(const RunData& run) {
  RecordedStop stop;
  bool ever_resumed = false;
  for (const journal::JournalEvent& event : run.events) {
    const bool of_integrator = event.node == kIntegratorNode;
    if (of_integrator && event.kind == "state" && event.text.starts_with("RUNNING")) {
      stop.resumed = ever_resumed = ever_resumed || !stop.reason.empty();
      stop.reason.clear();
      continue;
    }
    // The clock of a site's journal is that of its steps, which may be ahead of the
    // integrator's: a fault from before the resume may look later. The integrator records
    // a fault of a site, too.
    if (ever_resumed && !of_integrator) continue;
    if (std::string reason = reason_of(event); !reason.empty())
      stop = {.reason = std::move(reason), .resumed = false};
  }
  return stop;
}

/// The summary was written when the test was held, and the test was resumed since.
bool is_summary_outdated(const RunData& run) {
  return run.summary && run.summary->value("result", "") == "held" &&
         recorded_stop(run).resumed;
}

OutcomeWord outcome_word(const RunData& run) {
  const bool told = run.summary && !is_summary_outdated(run);
  const std::string result = told ? run.summary->value("result", "") : "";
  for (const OutcomeWord& word : kOutcomeWords)
    if (result == word.result) return word;
  // Without a summary of all its steps the process ended before the test did.
  if (run.ended() && run.steps() > 0 && run.steps() == run.steps_planned())
    return kOutcomeWords[0];
  return {"", "UNFINISHED", document::OutcomeKind::kAttention};
}

/// Whether more steps may have been done than the record shows: the newest rows of a
/// process that runs, or was killed, are in its ring file.
bool may_have_done_more(const RunData& run) {
  return !run.ended() && run.steps() < run.steps_planned() &&
         std::string(outcome_word(run).word) == "UNFINISHED";
}

/// "all 400 steps (4.00 s) of “modes” were done"
std::string steps_done(const RunData& run) {
  const std::string test = " of \u201c" + run.meta(meta_key::kTest) + "\u201d ";
  if (run.steps() == 0) return "no step" + test + "was done";
  const std::string seconds =
      plot::format_fixed(static_cast<double>(run.steps()) * run.time_step, 2) + " s";
  if (run.steps() == run.steps_planned())
    return "all " + plot::format_count(run.steps()) + " steps (" + seconds + ")" + test +
           "were done";
  return (may_have_done_more(run) ? "at least " : "") + plot::format_count(run.steps()) +
         " of " + plot::format_count(run.steps_planned()) + " steps (" + seconds + " of " +
         plot::format_fixed(static_cast<double>(run.steps_planned()) * run.time_step, 2) +
         " s)" + test + "were done";
}

/// Why the test did not come to its end.
std::string recorded_reason(const RunData& run) {
  if (run.summary && run.summary->contains("reason") && !is_summary_outdated(run))
    return without_full_stop(run.summary->value("reason", ""));
  return recorded_stop(run).reason;
}

/// How a test that did not come to its end continues; empty: it does not. The folder is not
/// named: the same record gives the same bytes in each.
std::string resume_sentence(const RunData& run, const std::string& reason) {
  constexpr const char* kCommand =
      "`trestle resume FOLDER`, with the folder that holds this record.";
  if (run.ended()) return {};
  const bool told = run.summary && !is_summary_outdated(run);
  const std::string result = told ? run.summary->value("result", "") : "";
  const bool resumable = !told || run.summary->value("resumable", result == "held");
  if (!resumable) return {};
  if (is_refused_target(reason))
    return " No resume continues it: " + std::string(kRefusedTargetHelp) + ".";
  const std::string words = !told ? "If no process runs it any longer, it can be"
                            : result == "held" ? "The test is held and can be"
                                               : "The test can be";
  return " " + words + " resumed: " + kCommand;
}

struct TrackedActuator {
  std::string name;
  double delay;
  double nrmse;
};

double evaluated_number(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found == json.end() || !found->is_number()
             ? std::numeric_limits<double>::quiet_NaN()
             : found->get<double>();
}

std::vector<TrackedActuator> tracked(const Json& evaluation) {
  std::vector<TrackedActuator> actuators;
  for (const Json& site : evaluation.at("sites"))
    for (const Json& tracking : site.at("tracking"))
      actuators.push_back({site.value("name", "") + " " + tracking.value("actuator", ""),
                           evaluated_number(tracking, "delay_s"),
                           evaluated_number(tracking, "nrmse")});
  return actuators;
}

std::string stability_words(const RunData& run, const Json& criteria, bool whole) {
  if (!criteria.value("stable", true)) return "it became unstable";
  if (run.is_window() && !run.summary)
    return "whether it was stable is not told, because the record is too long to be "
           "evaluated";
  return whole ? "it was stable" : "nothing showed an instability until then";
}

/// Whether limits may have been used further in those rows of a long record that were not
/// read.
bool may_be_nearer(const std::vector<LimitUse>& uses) {
  return std::any_of(uses.begin(), uses.end(),
                     [](const LimitUse& use) { return use.of_window && use.limit; });
}

document::KeyFigure limit_figure(const LimitUse* nearest, bool at_least) {
  if (nearest == nullptr)
    return {"nearest limit", "\u2013",
            "no limit was set that the record can be held against"};
  const plot::EngineeringUnit unit =
      plot::engineering_unit(nearest->si_unit, *nearest->limit);
  return {
      "nearest limit",
      (at_least ? "\u2265 " : "") + plot::format_fixed(100.0 * nearest->ratio(), 0) + " %",
      nearest->site + " " + nearest->axis + " " + nearest->quantity + ", " +
          plot::format_significant(nearest->largest * unit.factor, 3) + " of " +
          plot::format_significant(*nearest->limit * unit.factor, 3) + " " + unit.name};
}

std::vector<document::KeyFigure> key_figures(const RunData& run, const Json& evaluation,
                                             const LimitUse* nearest, bool at_least) {
  const double done = static_cast<double>(run.steps()) * run.time_step;
  std::vector<document::KeyFigure> figures{
      {"time of the test",
       (may_have_done_more(run) ? "\u2265 " : "") + plot::format_fixed(done, 2) + " s",
       run.steps() == 0 ? std::string("no step was done")
                        : "step " + plot::format_count(run.steps()) + " of " +
                              plot::format_count(run.steps_planned())},
      limit_figure(nearest, at_least)};
  const std::vector<TrackedActuator> actuators = tracked(evaluation);
  const std::string part =
      (run.summary || !run.is_window() ? "" : " in the window" + window_words(run)) +
      until_words(evaluation);
  const auto worst =
      [&actuators](double TrackedActuator::*value) -> const TrackedActuator* {
    const TrackedActuator* largest = nullptr;
    for (const TrackedActuator& one : actuators)
      if (std::isfinite(one.*value) &&
          (largest == nullptr || std::abs(one.*value) > std::abs(largest->*value)))
        largest = &one;
    return largest;
  };
  if (const TrackedActuator* late = worst(&TrackedActuator::delay))
    figures.push_back({"largest delay", plot::format_fixed(1e3 * late->delay, 2) + " ms",
                       late->name + ", of the transfer system" + part});
  if (const TrackedActuator* off = worst(&TrackedActuator::nrmse))
    figures.push_back({"largest tracking error",
                       plot::format_significant(100.0 * off->nrmse, 3) + " %",
                       off->name + ", root mean square of the target's" + part});
  return figures;
}

}  // namespace

std::string describe_use(const LimitUse& use) {
  const plot::EngineeringUnit unit =
      plot::engineering_unit(use.si_unit, use.limit ? *use.limit : use.largest);
  const std::string value = plot::format_significant(use.largest * unit.factor, 3);
  if (!use.limit)
    return use.site + " " + use.axis + ": " + use.quantity + " " + value + " " + unit.name +
           ", no limit";
  return use.site + " " + use.axis + ": " + plot::format_fixed(100.0 * use.ratio(), 0) +
         " % of the " + use.quantity + " limit (" + value + " of " +
         plot::format_significant(*use.limit * unit.factor, 3) + " " + unit.name + ")" +
         (std::isfinite(use.time) ? " at " + plot::format_fixed(use.time, 2) + " s" : "");
}

RunVerdict verdict_of(const RunData& run, const Json& evaluation,
                      const std::vector<LimitUse>& uses) {
  const OutcomeWord word = outcome_word(run);
  const bool whole = std::string(word.word) == "COMPLETE";
  const bool stable = evaluation.at("criteria").value("stable", true);
  const LimitUse* nearest = nearest_limit(uses);
  const bool at_least = may_be_nearer(uses);
  RunVerdict verdict{
      .outcome = word.outcome, .word = word.word, .sentence = {}, .figures = {}};
  verdict.sentence = std::string(word.word) + ": " + steps_done(run);
  const std::string reason = recorded_reason(run);
  if (!whole && !reason.empty()) verdict.sentence += ", because " + reason;
  if (!whole && reason.empty() && verdict.word == "UNFINISHED")
    verdict.sentence +=
        "; the record does not say how the test ended: it still runs, or its process was "
        "killed";
  if (run.steps() > 0)
    verdict.sentence += "; " + stability_words(run, evaluation.at("criteria"), whole);
  if (nearest != nullptr && nearest->ratio() <= 1.0)
    verdict.sentence +=
        std::string(whole ? "; " : "; in what is recorded ") +
        "the nearest limit was used to " + (at_least ? "at least " : "") +
        plot::format_fixed(100.0 * nearest->ratio(), 0) + " % (" + nearest->site + " " +
        nearest->axis + " " + nearest->quantity + ")" +
        (at_least ? "; rate, acceleration and tracking error are known of a window alone"
                  : "");
  else if (nearest != nullptr)
    verdict.sentence += "; outside a limit: " + describe_use(*nearest);
  else if (run.steps() > 0)
    verdict.sentence += "; no limit was set that it could be held against";
  verdict.sentence += ".";
  if (!whole) verdict.sentence += resume_sentence(run, reason);
  if (!stable) verdict.outcome = document::OutcomeKind::kBad;
  if (verdict.outcome == document::OutcomeKind::kGood && nearest != nullptr &&
      nearest->ratio() >= kNearLimit)
    verdict.outcome = document::OutcomeKind::kAttention;
  verdict.figures = key_figures(run, evaluation, nearest, at_least);
  return verdict;
}

}  // namespace trestle::report
