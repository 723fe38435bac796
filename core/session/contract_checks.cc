#include "core/session/contract_checks.h"

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <vector>

#include "core/session/session_contract.h"

namespace trestle::session {
namespace {

// Shown digits of a hash: enough for a reader to tell two apart.
constexpr std::size_t kShownDigits = 12;
// Longest value that a sentence shows.
constexpr std::size_t kShownLetters = 160;

struct Line {
  std::string_view key;
  std::string_view value;
  bool operator==(const Line&) const = default;
};

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::size_t colon = line.find(": ");
    if (colon == std::string_view::npos)
      lines.push_back({line, {}});
    else
      lines.push_back({line.substr(0, colon), line.substr(colon + 2)});
  }
  return lines;
}

/// Shows long values by the part in which they differ.
std::string shown(std::string_view value, std::string_view other) {
  if (value.empty()) return "nothing";
  if (value.size() <= kShownLetters) return std::string(value);
  const auto apart = std::mismatch(value.begin(), value.end(), other.begin(), other.end());
  auto from = static_cast<std::size_t>(apart.first - value.begin());
  from -= std::min(from, kShownLetters / 4);
  return (from > 0 ? "..." : "") + std::string(value.substr(from, kShownLetters)) + "...";
}

bool states(const std::vector<Line>& lines, std::string_view key) {
  return std::any_of(lines.begin(), lines.end(),
                     [&](const Line& line) { return line.key == key; });
}

std::string alone(const Line& line, const std::string& who, const std::string& other) {
  return std::string(line.key) + ": " + who + " has " + shown(line.value, {}) + ", " +
         other + " does not state it";
}

std::string in_full(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

std::string wider(const std::string& site, const std::string& which, double asked,
                  double agreed) {
  if (agreed <= asked) return {};  // a NaN is no limit
  return "site " + site + " agreed to a wider limit than the test allows: " + which +
         " is " + in_full(agreed) + ", the test has " + in_full(asked) +
         "; update the site's program";
}

struct LimitField {
  double ActuatorLimits::*member;
  const char* name;
};
constexpr LimitField kLimitFields[] = {
    {&ActuatorLimits::displacement, "displacement"},
    {&ActuatorLimits::rate, "rate"},
    {&ActuatorLimits::acceleration, "acceleration"},
    {&ActuatorLimits::force, "force"},
    {&ActuatorLimits::tracking_error, "tracking_error"},
    {&ActuatorLimits::tracking_dwell, "tracking_dwell"},
    {&ActuatorLimits::energy_error, "energy_error"},
};

struct DofField {
  double InterfaceDof::*member;
  const char* name;
};
constexpr DofField kDofFields[] = {
    {&InterfaceDof::displacement_limit, "displacement"},
    {&InterfaceDof::rate_limit, "rate"},
    {&InterfaceDof::acceleration_limit, "acceleration"},
};

}  // namespace

std::string first_difference(const std::string& ours, const std::string& theirs,
                             const std::string& we, const std::string& they) {
  if (ours == theirs) return {};
  const std::vector<Line> here = lines_of(ours), there = lines_of(theirs);
  std::size_t at = 0;
  while (at < here.size() && at < there.size() && here[at] == there[at]) ++at;
  const std::string place = "line " + std::to_string(at + 1) + ": ";
  if (at == here.size() && at == there.size()) return place + "the end of the text";
  if (at == there.size() || (at < here.size() && !states(there, here[at].key)))
    return place + alone(here[at], we, they);
  if (at == here.size() || !states(here, there[at].key))
    return place + alone(there[at], they, we);
  if (here[at].key != there[at].key)
    return place + we + " has " + std::string(here[at].key) + " there, " + they + " has " +
           std::string(there[at].key);
  return place + std::string(here[at].key) + ": " + we + " has " +
         shown(here[at].value, there[at].value) + ", " + they + " has " +
         shown(there[at].value, here[at].value);
}

std::string compare_contracts(const std::string& site, const std::string& ours,
                              const std::string& theirs) {
  if (ours == theirs) return {};
  if (theirs.empty())
    return "site " + site + " sent no contract; update its program to this version";
  return "site " + site + " and the integrator do not agree on the contract: " +
         first_difference(ours, theirs);
}

std::string check_limits_not_widened(const std::string& site, const Configure& configure,
                                     const Configured& configured) {
  const std::size_t limits = std::min(configure.limits.size(), configured.limits.size());
  for (std::size_t i = 0; i < limits; ++i)
    for (const LimitField& field : kLimitFields) {
      if (field.member == &ActuatorLimits::tracking_dwell &&
          configure.limits[i].tracking_error == ActuatorLimits::kNone)
        continue;  // it belongs to the error that it waits for
      std::string why =
          wider(site, "limits.actuators[" + std::to_string(i) + "]." + field.name,
                configure.limits[i].*field.member, configured.limits[i].*field.member);
      if (!why.empty()) return why;
    }
  if (limits < configure.limits.size())
    return "site " + site + " agreed to limits of " + std::to_string(limits) +
           " actuators, the test states them for " +
           std::to_string(configure.limits.size());
  const std::size_t dofs = std::min(configure.layout.size(), configured.layout.size());
  for (std::size_t i = 0; i < dofs; ++i)
    for (const DofField& field : kDofFields) {
      std::string why =
          wider(site, configure.layout[i].name + " " + field.name,
                configure.layout[i].*field.member, configured.layout[i].*field.member);
      if (!why.empty()) return why;
    }
  return {};
}

std::string check_contract_hash(const std::string& what, const std::string& contract,
                                const std::string& named) {
  const std::string ours = contract_hash(contract);
  if (named == ours) return {};
  if (named.empty())
    return "to " + what + " names no contract; update the integrator's program";
  return "to " + what + " names contract " + named.substr(0, kShownDigits) +
         ", this site agreed to " + ours.substr(0, kShownDigits) +
         "; configure the test again";
}

std::string check_contract_unchanged(const std::string& journalled,
                                     const std::string& now) {
  if (journalled == now) return {};
  if (journalled.empty())
    return "the journal holds no contract: the test was never configured, or by an older "
           "program";
  // The number of the line is one in a text that the person has not before them.
  const std::string difference =
      first_difference(journalled, now, "the journal", "this program");
  return "the contract is not the one that the test began with: " +
         difference.substr(difference.find(": ") + 2) +
         " (as the files of the test and of the site state it now); put that back, or "
         "begin a new test (real equipment is kept for this one until trestle rig "
         "set-aside SITE)";
}

}  // namespace trestle::session
