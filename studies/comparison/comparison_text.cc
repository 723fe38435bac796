#include "studies/comparison/comparison_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "studies/comparison/comparison.h"
#include "studies/comparison/seed_spread.h"

namespace trestle::comparison {
namespace {

struct Cell {
  std::string text;
  bool best = false;
};

using Row = std::vector<Cell>;  // first cell: what it says

std::string number(const char* format, double value) {
  char text[40];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

/// How far a result is from what it should be; nothing if more or less is no better.
std::optional<double> shortfall(const std::string& name, double value) {
  const bool neither = name.starts_with("peaks.") || name.ends_with("steps") ||
                       name == "steps_done" || name == "criteria.stable" ||
                       name.find("equivalent_frequency") != std::string::npos;
  if (neither || std::isnan(value)) return std::nullopt;
  if (name.find("amplitude") != std::string::npos) return std::abs(value - 1.0);
  return std::abs(value);
}

bool has_seeds(const std::vector<ComparisonEntry>& tests) {
  return std::any_of(tests.begin(), tests.end(),
                     [](const ComparisonEntry& test) { return !test.of_seeds.empty(); });
}

/// Which tests are the best in a result; of several seeds as best_by_seeds() decides.
std::vector<bool> best_of(const std::string& name,
                          const std::vector<ComparisonEntry>& tests) {
  std::vector<std::vector<double>> shortfalls;
  for (const ComparisonEntry& test : tests) {
    shortfalls.emplace_back();
    if (!test.stable) continue;
    const std::vector<double> values = test.of_seeds.empty()
                                           ? values_of_seeds({test.results}, name)
                                           : values_of_seeds(test.of_seeds, name);
    for (const double value : values)
      if (const auto distance = shortfall(name, value))
        shortfalls.back().push_back(*distance);
    if (shortfalls.back().size() < values.size()) shortfalls.back().clear();
  }
  if (has_seeds(tests)) return best_by_seeds(shortfalls);
  double smallest = std::numeric_limits<double>::infinity();
  for (const std::vector<double>& one : shortfalls)
    if (!one.empty()) smallest = std::min(smallest, one.front());
  std::vector<bool> best;
  for (const std::vector<double>& one : shortfalls)
    best.push_back(tests.size() > 1 && !one.empty() && one.front() == smallest);
  return best;
}

/// Of a deviation over the number: that of what does not depend on the seed.
constexpr double kRounding = 1e-9;

/// The number, and the standard deviation over the seeds where there are several.
std::string value_text(const ComparisonEntry& test, const std::string& name, double value) {
  std::string text = number("%.4g", value);
  const double deviation = seed_spread(values_of_seeds(test.of_seeds, name)).deviation;
  if (!test.of_seeds.empty() && deviation > kRounding * std::abs(value))
    text += number(" \u00b1 %.2g", deviation);
  return text;
}

Row result_row(const std::string& name, const std::vector<ComparisonEntry>& tests) {
  Row row{{name, false}};
  const std::vector<bool> best = best_of(name, tests);
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const double* value = campaign::find_result(tests[i].results, name);
    // An incomplete run has no values to compare.
    if (value == nullptr || std::isnan(*value) || !tests[i].complete)
      row.push_back({"-", false});
    else
      row.push_back({value_text(tests[i], name, *value), best[i]});
  }
  return row;
}

std::string outcome(const ComparisonEntry& test) {
  if (test.stable) return "stable";
  if (!test.of_seeds.empty())
    return std::to_string(test.unstable_seeds) + " of " +
           std::to_string(test.of_seeds.size()) +
           (test.unstable ? " unstable" : " stopped");
  if (test.complete) return "unstable";
  return number(test.unstable ? "unstable at %.1f s" : "stopped at %.1f s", test.ended_at);
}

std::vector<Row> rows_of(const std::vector<ComparisonEntry>& tests,
                         const std::vector<std::string>& patterns) {
  std::vector<std::string> names;
  for (const ComparisonEntry& test : tests)
    for (const campaign::NamedResult& result : test.results)
      if (std::find(names.begin(), names.end(), result.name) == names.end())
        names.push_back(result.name);
  std::vector<Row> rows(1, Row{{"result", false}});
  for (const std::string& title : comparison_titles(tests))
    rows.front().push_back({title, false});
  for (const std::string& name : campaign::select_results(names, patterns))
    rows.push_back(result_row(name, tests));
  Row time{{"CPU per tick [us]", false}};
  Row end{{"outcome", false}};
  for (const ComparisonEntry& test : tests) {
    time.push_back({test.recorded ? "-" : number("%.3g", test.tick * 1e6), false});
    end.push_back({outcome(test), false});
  }
  rows.push_back(std::move(time));
  rows.push_back(std::move(end));
  return rows;
}

/// Columns on a screen of UTF-8 whose characters take one each.
std::size_t columns_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char byte) { return (byte & 0xC0) != 0x80; }));
}

std::string in_columns(const std::vector<Row>& rows, bool bold) {
  std::vector<std::size_t> width(rows.front().size(), 0);
  for (const Row& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      width[i] = std::max(width[i], columns_of(row[i].text));
  std::string text;
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string space(width[i] - columns_of(row[i].text), ' ');
      const std::string& word = row[i].text;
      const std::string shown = bold && row[i].best ? "\x1b[1m" + word + "\x1b[0m" : word;
      text += i == 0 ? shown + space : "  " + space + shown;
    }
    text += "\n";
  }
  return text;
}

std::string in_markdown(const std::vector<Row>& rows) {
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const Cell& cell : rows[i])
      text += "| " + (cell.best ? "**" + cell.text + "**" : cell.text) + " ";
    text += "|\n";
    if (i > 0) continue;
    text += "|---|";
    for (std::size_t j = 1; j < rows[i].size(); ++j) text += "--:|";
    text += "\n";
  }
  return text;
}

}  // namespace

std::vector<std::string> comparison_titles(const std::vector<ComparisonEntry>& tests) {
  const auto distinct = [](const std::vector<std::string>& names) {
    return std::set<std::string>(names.begin(), names.end()).size() == names.size();
  };
  std::vector<std::string> names;
  std::vector<std::string> stems;
  std::vector<std::string> files;
  for (const ComparisonEntry& test : tests) {
    names.push_back(test.name);
    stems.push_back(std::filesystem::path(test.file).stem().string());
    files.push_back(test.file);
  }
  return distinct(names) ? names : distinct(stems) ? stems : files;
}

std::string comparison_text(const std::vector<ComparisonEntry>& tests,
                            const std::vector<std::string>& patterns, TableStyle style) {
  const std::vector<Row> rows = rows_of(tests, patterns);
  const bool markdown = style == TableStyle::kMarkdown;
  std::string text =
      markdown ? in_markdown(rows) : in_columns(rows, style == TableStyle::kTerminal);
  const std::vector<std::string> names = comparison_titles(tests);
  for (std::size_t i = 0; i < tests.size(); ++i)
    if (!tests[i].stable)
      text += (markdown ? "\n" : "") + names[i] + ": " + tests[i].reason + "\n";
  for (std::size_t i = 0; i < tests.size(); ++i)
    for (const std::string& change : tests[i].calibration_changes)
      text += (markdown ? "\n" : "") + names[i] + ": calibration changed: " + change + "\n";
  return text;
}

std::string comparison_json(const std::vector<ComparisonEntry>& tests) {
  using Json = nlohmann::ordered_json;
  Json json;
  json["tests"] = Json::array();
  for (const ComparisonEntry& test : tests) {
    Json one;
    one["test"] = test.name;
    one["file"] = test.file;
    one["complete"] = test.complete;
    one["stable"] = test.stable;
    one["unstable"] = test.unstable;
    if (!test.stable) one["reason"] = test.reason;
    one["ended_at_s"] = test.ended_at;
    if (!test.recorded) one["tick_s"] = test.tick;
    if (test.recorded) one["calibration_changes"] = test.calibration_changes;
    one["results"] = Json::object();
    for (const campaign::NamedResult& result : test.results)
      one["results"][result.name] = result.value;
    if (!test.of_seeds.empty()) {
      one["seeds"] = test.of_seeds.size();
      one["unstable_seeds"] = test.unstable_seeds;
      one["deviations"] = Json::object();
      for (const campaign::NamedResult& result : test.results)
        one["deviations"][result.name] =
            seed_spread(values_of_seeds(test.of_seeds, result.name)).deviation;
    }
    json["tests"].push_back(std::move(one));
  }
  return json.dump(2) + "\n";
}

}  // namespace trestle::comparison
