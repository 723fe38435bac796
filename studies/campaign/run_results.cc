#include "studies/campaign/run_results.h"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>

namespace trestle::campaign {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 7> kNoResults{
    "steps_planned", "criteria.until_step", "time_step_s", "wall_s",
    "step_p50_s",    "step_p99_s",          "step_max_s"};

bool is_result(const std::string& name) {
  return std::find(kNoResults.begin(), kNoResults.end(), name) == kNoResults.end();
}

void flatten(const Json& json, const std::string& name, Results& results) {
  if (json.is_object()) {
    for (const auto& [key, value] : json.items())
      flatten(value, name.empty() ? key : name + "." + key, results);
  } else if (json.is_array()) {
    for (std::size_t i = 0; i < json.size(); ++i) {
      const bool named = json[i].is_object() && json[i].contains("name");
      flatten(json[i],
              named ? name + "." + json[i].at("name").get<std::string>()
                    : name + "[" + std::to_string(i) + "]",
              results);
    }
  } else if (is_result(name)) {
    if (json.is_boolean()) results.push_back({name, json.get<bool>() ? 1.0 : 0.0});
    if (json.is_number()) results.push_back({name, json.get<double>()});
    // JSON has no other value for a number that is not finite.
    if (json.is_null()) results.push_back({name, std::numeric_limits<double>::quiet_NaN()});
  }
}

/// `pattern` means all of `text`.
bool fits(std::string_view text, std::string_view pattern) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return text == pattern;
  if (!text.starts_with(pattern.substr(0, star))) return false;
  text.remove_prefix(star);
  pattern.remove_prefix(star + 1);
  for (std::size_t skip = 0; skip <= text.size(); ++skip)
    if (fits(text.substr(skip), pattern)) return true;
  return false;
}

}  // namespace

Results results_of(const std::string& summary) {
  Results results;
  flatten(Json::parse(summary), "", results);
  return results;
}

const double* find_result(const Results& results, const std::string& name) {
  const auto found = std::find_if(results.begin(), results.end(),
                                  [&](const NamedResult& one) { return one.name == name; });
  return found == results.end() ? nullptr : &found->value;
}

bool matches(const std::string& name, const std::string& pattern) {
  return fits(name, pattern) || fits(name, pattern + ".*") || fits(name, pattern + "[*");
}

std::vector<std::string> select_results(const std::vector<std::string>& names,
                                        const std::vector<std::string>& patterns) {
  const auto choose = [&](const std::vector<std::string>& wanted) {
    std::vector<std::string> chosen;
    for (const std::string& name : names)
      if (std::any_of(wanted.begin(), wanted.end(),
                      [&](const std::string& pattern) { return matches(name, pattern); }))
        chosen.push_back(name);
    return chosen;
  };
  if (!patterns.empty()) return choose(patterns);
  std::vector<std::string> chosen = choose({"criteria.J*"});
  if (chosen.empty()) chosen = choose({"criteria"});
  std::erase(chosen, "criteria.stable");
  if (chosen.empty()) chosen = choose({"sites.*.tracking[*"});
  if (chosen.empty()) chosen = choose({"peaks"});
  return chosen;
}

}  // namespace trestle::campaign
