#include "observe/report/criteria_chapter.h"

#include <array>
#include <limits>

#include "observe/plot/number_format.h"
#include "observe/report/recorded_evaluation.h"

namespace trestle::report {
namespace {

using Json = nlohmann::ordered_json;

/// One criterion: its key in summary.json, of what its entries are, and what it means.
struct CriterionMeaning {
  const char* key;
  const char* entries;  ///< key in `criteria.of`
  const char* label;
  const char* unit;
  double factor;  ///< from the key's unit
  int digits;
  const char* sentence;
};

constexpr std::array<CriterionMeaning, 19> kMeanings{
    {{"J1", "actuators", "J1 delay", "ms", 1.0, 3,
      "The lag at which measured and target displacement are most alike, in whole steps; "
      "positive: late. J4 is the same number."},
     {"J2", "actuators", "J2 tracking error, rms", "%", 1.0, 3,
      "Standard deviation of measured minus target, over that of the target."},
     {"J3", "actuators", "J3 tracking error, peak", "%", 1.0, 3,
      "Largest difference of measured and target, over the largest target."},
     {"rmse", "actuators", "tracking error less noise", "%", 100.0, 3,
      "As J2, without the noise of the transducer where that is known."},
     {"delay_s", "actuators", "delay between samples", "ms", 1e3, 3,
      "J1 by the parabola through the peak of the cross-correlation."},
     {"frequency_amplitude", "actuators", "amplitude by frequency", "", 1.0, 4,
      "Measured over target, weighted by the power of the target's spectrum."},
     {"frequency_delay_s", "actuators", "delay by frequency", "ms", 1e3, 3,
      "Delay weighted by the power of the target's spectrum."},
     {"equivalent_frequency_hz", "actuators", "equivalent frequency", "Hz", 1.0, 3,
      "Mean frequency of the target's power."},
     {"nrmse", "actuators", "rms error over rms target", "%", 100.0, 3,
      "As J2, with the means."},
     {"energy_error_J", "actuators", "energy error", "J", 1.0, 4,
      "Work of the force over measured minus target; below zero: the rig was late, and fed "
      "energy into the structure."},
     {"J5", "interface", "J5 measured \u2212 numerical, rms", "%", 1.0, 3,
      "Standard deviation of the difference of measured and numerical motion at the "
      "interface, over that of the numerical one."},
     {"J6", "interface", "J6 measured \u2212 numerical, peak", "%", 1.0, 3,
      "Largest difference of the two, over the largest numerical motion."},
     {"J7", "interface", "J7 measured \u2212 reference, rms", "%", 1.0, 3,
      "As J5, against the structure that was computed as a whole."},
     {"J9", "interface", "J9 measured \u2212 reference, peak", "%", 1.0, 3,
      "As J6, against the structure that was computed as a whole."},
     {"force_error", "interface", "force \u2212 reference, rms", "%", 100.0, 3,
      "Difference of the interaction force from the reference's, over the reference's."},
     {"J8", "responses", "J8 numerical \u2212 reference, rms", "%", 1.0, 3,
      "Standard deviation of the difference of the structure's response from the "
      "reference's, over that of the reference."},
     {"J10", "responses", "J10 numerical \u2212 reference, peak", "%", 1.0, 3,
      "Largest difference of the two, over the largest response of the reference."},
     {"synchronisation.rms_relative", "interface", "synchronisation, rms", "%", 100.0, 3,
      "Measured against numerical motion of the same step."},
     {"synchronisation.delay_s", "interface", "synchronisation, delay", "ms", 1e3, 3,
      "Delay by least squares of the same pair; positive: late."}}};

/// The values of a criterion; a number that a run could not tell is NaN.
std::vector<double> values_of(const Json& criteria, const std::string& key) {
  std::vector<double> values;
  const auto number = [](const Json& json) {
    return json.is_number() ? json.get<double>() : std::numeric_limits<double>::quiet_NaN();
  };
  const std::size_t dot = key.find('.');
  if (dot != std::string::npos) {
    if (!criteria.contains("synchronisation")) return values;
    for (const Json& one : criteria.at("synchronisation"))
      values.push_back(number(one.at(key.substr(dot + 1))));
    return values;
  }
  if (!criteria.contains(key)) return values;
  for (const Json& one : criteria.at(key)) values.push_back(number(one));
  return values;
}

std::vector<std::string> entry_names(const Json& criteria, const char* entries) {
  std::vector<std::string> names;
  if (criteria.contains("of") && criteria.at("of").contains(entries))
    for (const Json& name : criteria.at("of").at(entries))
      names.push_back(name.get<std::string>());
  return names;
}

std::string label_of(const CriterionMeaning& meaning) {
  const std::string unit = meaning.unit;
  return meaning.label + (unit.empty() ? "" : " [" + unit + "]");
}

/// The criteria of one kind of entries; a column for each entry of each run. The head of a
/// run that did not come to its end says until which step its numbers are.
document::HtmlTable table_of(const std::vector<Json>& evaluations,
                             const std::vector<std::string>& runs,
                             const std::string& entries) {
  document::HtmlTable table{.heads = {"criterion"}};
  for (std::size_t run = 0; run < evaluations.size(); ++run)
    for (const std::string& name :
         entry_names(evaluations[run].at("criteria"), entries.c_str()))
      table.heads.push_back(name + (runs.empty() ? "" : ", " + runs[run]) +
                            until_words(evaluations[run]));
  for (const CriterionMeaning& meaning : kMeanings) {
    if (meaning.entries != entries) continue;
    std::vector<std::string> row{label_of(meaning)};
    bool any = false;
    for (const Json& evaluation : evaluations) {
      const Json& criteria = evaluation.at("criteria");
      const std::vector<double> values = values_of(criteria, meaning.key);
      any = any || !values.empty();
      for (std::size_t i = 0; i < entry_names(criteria, entries.c_str()).size(); ++i)
        row.push_back(i < values.size() ? plot::format_significant(
                                              values[i] * meaning.factor, meaning.digits)
                                        : "\u2013");
    }
    if (any) table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

void write_criteria_chapter(document::HtmlDocument& document,
                            const std::vector<Json>& evaluations,
                            const std::vector<std::string>& names) {
  std::vector<std::string> sentences;
  std::vector<document::HtmlTable> tables;
  for (const char* entries : {"actuators", "interface", "responses"}) {
    document::HtmlTable table = table_of(evaluations, names, entries);
    if (table.rows.empty()) continue;
    table.caption = std::string(entries) == "actuators"   ? "Of the actuators"
                    : std::string(entries) == "interface" ? "At the interface"
                                                          : "Of the structure's response";
    tables.push_back(std::move(table));
  }
  if (tables.empty()) return;
  document.chapter("Criteria");
  for (std::size_t run = 0; run < evaluations.size(); ++run)
    if (const std::string until = until_words(evaluations[run]); !until.empty())
      document.paragraph(
          "The " + (names.empty() ? "" : names[run] + " ") +
          "run did not come to its end: its criteria are those of a part of it" + until +
          ".");
  for (const document::HtmlTable& table : tables) document.table(table);
  for (const CriterionMeaning& meaning : kMeanings)
    for (const Json& evaluation : evaluations)
      if (!values_of(evaluation.at("criteria"), meaning.key).empty()) {
        sentences.push_back(std::string(meaning.label) + ": " + meaning.sentence);
        break;
      }
  document.list(sentences);
  document.paragraph(
      "J1 to J10 are those of the multi-axial benchmark (Condori Uribe et al. 2023). They "
      "pair the target of a step with what was measured when it was sent, so a rig that "
      "reaches its target at the next reading is one step late.");
}

}  // namespace trestle::report
