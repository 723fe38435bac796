#include "gateway/operator/status_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/base/process_to_end.h"
#include "core/base/refused_target.h"
#include "core/base/shell_word.h"
#include "core/base/twin_notice.h"
#include "gateway/operator/reading_text.h"
#include "gateway/operator/single_line_text.h"

namespace trestle::operators {
namespace {

constexpr const char* kIntegrator = "integrator";  // any other node is a site

std::string seconds_text(double seconds) {
  char text[40];
  std::snprintf(text, sizeof text, "%.1f s", std::max(seconds, 0.0));
  return text;
}

std::string sentence(const PendingWait& wait) {
  std::string text = "waits for " + wait.whom;
  if (!wait.what.empty()) text += ": " + wait.what;
  text += ", since " + seconds_text(wait.since);
  const bool limited = std::isfinite(wait.until);
  text += limited ? "; in " + seconds_text(wait.until) : ", without a limit of time";
  if (!wait.then.empty()) text += (limited ? " " : "; ") + wait.then;
  return text;
}

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

std::string step_line(const NodeStatus& standing) {
  char text[200];
  const std::int64_t count = standing.step + 1;
  const auto done = static_cast<long long>(count);
  const auto all = static_cast<double>(standing.steps);
  if (standing.steps > 0)
    std::snprintf(text, sizeof text,
                  "%lld of %lld steps   %.0f %%   %.3f s of %.3f s   done last: step %lld",
                  done, static_cast<long long>(standing.steps),
                  std::floor(100.0 * static_cast<double>(done) / all),
                  static_cast<double>(done) * standing.time_step, all * standing.time_step,
                  done - 1);
  else
    std::snprintf(text, sizeof text, "%lld steps   done last: step %lld", done, done - 1);
  return text;
}

std::string heard_text(double ago) {
  return ago < 0.0 ? "never heard" : "heard " + seconds_text(ago) + " ago";
}

/// "the checklist: 1 of 3 confirmed; waived: oil warm (ada@lab: it is summer); open:
/// nobody in the cage"
std::string checklist_text(const ArmingStatus& arming) {
  std::string open;
  std::string waived;
  std::size_t confirmed = 0;
  for (const ChecklistItem& item : arming.checklist)
    if (item.by.empty())
      open += (open.empty() ? "; open: " : "; ") + item.text;
    else if (!item.waived.empty())
      waived += (waived.empty() ? "; waived: " : "; ") + item.text + " (" + item.by + ": " +
                item.waived + ")";
    else
      ++confirmed;
  return "the checklist: " + std::to_string(confirmed) + " of " +
         std::to_string(arming.checklist.size()) + " confirmed" + waived + open;
}

/// The state of the session, and if a rig rests in it, what is known of the rig.
std::string state_text(const std::string& state, const std::string& rig) {
  if (rig == "asked to hold") return state + " (asked to hold, not confirmed)";
  if (rig == "holds") return state + " (the rig holds)";
  return state;
}

/// "person     Ada, operator of site east, Trondheim, +47 73 59 40 00"
std::string person_line(const Participant& person) {
  std::string text = "person     " + person.name;
  for (const std::string* const field : {&person.role, &person.place, &person.telephone})
    if (!field->empty()) text += ", " + *field;
  return text;
}

/// The command that ends a process that cannot go on; empty: it can.
std::string command_before_all(const NodeStatus& standing) {
  for (const PendingWait& wait : standing.waits)
    if (std::string end = command_to_end(wait.what); !end.empty()) return end;
  return {};
}

/// The node waits for a person, who has to do something else before this command.
/// @param command  "(trestle clear"
bool needs_other(const NodeStatus& standing, std::string_view whom,
                 std::string_view command) {
  return std::any_of(standing.waits.begin(), standing.waits.end(),
                     [whom, command](const PendingWait& wait) {
                       return wait.whom == whom && !wait.what.empty() &&
                              (wait.what.find(command) == std::string::npos ||
                               wait.what.starts_with(kDriverToReturn) ||
                               wait.what.starts_with(kRecordToBeSeenTo));
                     });
}

/// Empty: none is known to be.
std::string site_in_fault(const NodeStatus& standing) {
  for (const PeerStatus& peer : standing.peers)
    if (peer.state == "FAULT") return peer.name;
  for (const PendingWait& wait : standing.waits)  // one that is away still
    if (std::string site = site_to_clear(wait.what); !site.empty()) return site;
  return {};
}

/// @param here  the folder of the run, as a further word of a command
std::string command_while_held(const NodeStatus& standing, const std::string& here) {
  if (is_refused_target(standing.reason)) return "trestle stop" + here;
  const bool waits =
      std::any_of(standing.waits.begin(), standing.waits.end(),
                  [](const PendingWait& wait) { return wait.then.ends_with(kWithdraw); });
  if (waits) return {};  // it was given already
  // What it needs first, its own status says.
  if (const std::string site = site_in_fault(standing); !site.empty())
    return "trestle status " + shell_word(site) + ", at that site";
  return needs_other(standing, "the operator", "(trestle resume") ? ""
                                                                  : "trestle resume" + here;
}

}  // namespace

std::vector<std::string> why(const NodeStatus& standing) {
  std::vector<std::string> lines;
  if (!standing.reason.empty())
    lines.push_back(state_text(standing.state, standing.rig) + ": " + standing.reason);
  for (const PendingWait& wait : standing.waits) lines.push_back(sentence(wait));
  if (standing.arming && !standing.arming->checklist.empty())
    lines.push_back(checklist_text(*standing.arming));
  if (lines.empty())
    lines.push_back("waits for nobody: it works (" + format_brief_status(standing) + ")");
  return lines;
}

std::string next_command(const NodeStatus& standing, const std::string& folder) {
  const std::string here = " " + shell_word(folder);
  if (std::string end = command_before_all(standing); !end.empty()) return end;
  if (standing.state == "FAULT")
    return needs_other(standing, "a person at the site", "(trestle clear")
               ? ""
               : "trestle clear" + here;
  if (standing.node != kIntegrator) return {};
  // Before `arming`: a held test may ask for its checklist again, and is armed.
  if (standing.state == "HOLDING") return command_while_held(standing, here);
  return standing.arming ? "trestle arm" + here : "";
}

std::string format_brief_status(const NodeStatus& standing) {
  const std::string state = state_text(standing.state, standing.rig);
  if (standing.step < 0 || standing.steps <= 0) return state;
  return state + ", " + std::to_string(standing.step + 1) + " of " +
         std::to_string(standing.steps) + " steps done";
}

std::string format_status(const NodeStatus& standing) {
  const std::string indent(11, ' ');
  std::vector<std::string> lines;
  std::string head =
      padded(state_text(standing.state, standing.rig), 10) + " " + standing.node;
  head += standing.test.empty() ? ", no test" : ", " + standing.test;
  if (!standing.session.empty()) head += ", session " + standing.session;
  lines.push_back(head);
  for (const std::string& site : standing.twins) lines.push_back(twin_notice(site));
  if (standing.step >= 0) lines.push_back(indent + step_line(standing));
  std::size_t longest = 10;
  for (const PeerStatus& peer : standing.peers)
    longest = std::max(longest, peer.name.size());
  for (const PeerStatus& peer : standing.peers)
    lines.push_back(
        padded(peer.name, longest) + " " + padded(state_text(peer.state, peer.rig), 10) +
        " " + padded(peer.step < 0 ? "no step" : "step " + std::to_string(peer.step), 13) +
        " " + padded(heard_text(peer.heard), 18) + " " + peer.where);
  // Of a test that runs, `watch` and the record tell more.
  if (standing.state != "RUNNING")
    for (const PeerStatus& peer : standing.peers)
      if (!peer.readings.empty())
        lines.push_back(padded(peer.name, longest) + " reads " +
                        readings_text(peer.readings));
  if (standing.said.number != 0)
    lines.push_back("said       " + standing.said.by + ": " + standing.said.text);
  for (const Participant& each : standing.participants) lines.push_back(person_line(each));
  for (const std::string& line : why(standing)) lines.push_back(indent + line);
  std::string text;
  for (std::string& line : lines) text += single_line_text(std::move(line)) + "\n";
  return text;
}

}  // namespace trestle::operators
