#include "studies/campaign/campaign_point.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "core/base/lasting_file.h"
#include "core/base/nearest_name.h"
#include "core/base/number_text.h"
#include "core/base/text_file.h"
#include "studies/campaign/campaign.h"
#include "studies/design/tabulated_design.h"

namespace trestle::campaign {
namespace {

struct PointLine {
  std::size_t number = 0;
  std::vector<std::string> words;
};

Error point_error(const std::string& file, std::size_t line, const std::string& what) {
  return {ErrorCode::kMalformed, file + ":" + std::to_string(line) + ": " + what};
}

std::optional<std::vector<PointLine>> lines_of(const std::string& file) {
  std::ifstream stream;
  if (!open_text_file(file, stream).empty()) return std::nullopt;
  std::vector<PointLine> lines;
  std::string text;
  for (std::size_t number = 1; std::getline(stream, text); ++number) {
    std::istringstream words(text);
    PointLine line{number, {}};
    for (std::string word; words >> word;) line.words.push_back(word);
    if (!line.words.empty()) lines.push_back(std::move(line));
  }
  return lines;
}

/// Takes a count in front away, and with Dakota's all that stands behind the variables.
/// @returns what is wrong
std::optional<std::string> take_count(std::vector<PointLine>& lines) {
  if (lines.empty()) return std::nullopt;
  const std::vector<std::string>& first = lines.front().words;
  const bool dakota = first.size() == 2 && first[1] == "variables";
  if (first.size() != 1 && !dakota) return std::nullopt;
  const auto count = parse_number(first[0]);
  if (!count || *count != std::floor(*count) || *count < 0.0)
    return "`" + first[0] + "` stands alone; a line has a name and a value";
  lines.erase(lines.begin());
  const auto there = static_cast<double>(lines.size());
  if (there < *count || (!dakota && there > *count))
    return "has " + std::to_string(lines.size()) + " lines behind a count of " +
           format_number(*count);
  lines.resize(static_cast<std::size_t>(*count));
  return std::nullopt;
}

}  // namespace

Result<std::vector<double>> read_point(const std::string& file,
                                       const std::vector<std::string>& names) {
  auto lines = lines_of(file);
  if (!lines) return Error{ErrorCode::kUnavailable, "cannot read the file " + file};
  if (const auto problem = take_count(*lines)) return point_error(file, 1, *problem);
  std::vector<double> values(names.size(), 0.0);
  std::vector<bool> found(names.size(), false);
  for (const PointLine& line : *lines) {
    if (line.words.size() != 2)
      return point_error(file, line.number, "must be `name value` or `value name`");
    const auto at = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
      return name == line.words[0] || name == line.words[1];
    });
    if (at == names.end()) {
      const std::string& name = parse_number(line.words[0]) ? line.words[1] : line.words[0];
      return point_error(
          file, line.number,
          "`" + name + "` is no parameter of the study" + suggest(name, names));
    }
    const std::string& text = *at == line.words[0] ? line.words[1] : line.words[0];
    const auto parameter = static_cast<std::size_t>(at - names.begin());
    if (found[parameter])
      return point_error(file, line.number, "`" + *at + "` stands there twice");
    const auto value = parse_number(text);
    if (!value || !std::isfinite(*value))
      return point_error(file, line.number,
                         "the value of `" + *at + "` is `" + text +
                             "`; must be a finite number without unit (a factor, or SI)");
    found[parameter] = true;
    values[parameter] = *value;
  }
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!found[i])
      return Error{ErrorCode::kMalformed,
                   file + ": has no value of the parameter `" + names[i] + "`"};
  return values;
}

PointOutcome run_point(StudyPlan plan, const std::vector<double>& values,
                       const std::string& test, const std::string& software,
                       const std::string& folder) {
  if (plan.results.empty())
    throw std::runtime_error(
        "the study lists no `results`, so nothing can be handed back; list them there: "
        "`results: [criteria.J2]`");
  plan.runs = 1;
  plan.design =
      std::make_shared<design::TabulatedDesign>(std::vector<std::vector<double>>{values});
  // The name that a campaign gives it: sentences on a draw that makes no test have it.
  const std::string effective = folder + "/effective.yaml";
  keep_file(effective, test);
  CampaignStore store(folder + "/campaign.db", {});
  Campaign campaign(plan, effective, software, store);
  campaign.run({.jobs = 1, .batches = false}, [](const CampaignProgress&) { return true; });
  const CampaignRecord record = store.read(1);
  const StoredRun& point = record.runs.back();
  PointOutcome outcome{.usable = point.outcome == RunOutcome::kStable,
                       .reason = point.reason,
                       .results = {}};
  for (const std::string& pattern : plan.results) {
    const std::vector<std::string> chosen = select_results(record.names, {pattern});
    if (chosen.empty())
      throw std::runtime_error("no result of the test is `" + pattern +
                               "`, which the study lists under `results`");
    for (const std::string& name : chosen) {
      const auto at = std::find(record.names.begin(), record.names.end(), name);
      outcome.results.push_back(
          point.values[static_cast<std::size_t>(at - record.names.begin())]);
      if (!outcome.usable || std::isfinite(outcome.results.back())) continue;
      outcome.usable = false;
      outcome.reason = name + " has no value";
    }
  }
  return outcome;
}

std::string point_text(const PointOutcome& outcome, double unstable_value) {
  if (!outcome.usable && std::isnan(unstable_value)) return "FAIL\n";
  std::string text;
  for (const double result : outcome.results) {
    append_number(text, outcome.usable ? result : unstable_value);
    text += '\n';
  }
  return text;
}

}  // namespace trestle::campaign
