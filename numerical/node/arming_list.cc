#include "numerical/node/arming_list.h"

#include <algorithm>

#include "core/session/audit_actions.h"

namespace trestle::integrator_node {

std::string ArmingList::confirm(const std::string& by, const std::string& item,
                                const std::string& at) {
  return close(item, {item, by, at});
}

std::string ArmingList::waive(const std::string& by, const std::string& item,
                              const std::string& reason, const std::string& at) {
  if (reason.empty())
    return "not waived: " + item + "; say why it may be left undone (--reason)";
  return close(item, {item, by, at, reason});
}

std::string ArmingList::close(const std::string& item, const ChecklistItem& answer) {
  for (ChecklistItem& each : now_.checklist) {
    if (each.text != item) continue;
    if (!each.by.empty())
      return (each.waived.empty() ? "confirmed already by " : "waived already by ") +
             each.by + " at " + each.at + ": " + item;
    each.by = answer.by;
    each.at = answer.at;
    each.waived = answer.waived;
    return {};
  }
  return "the checklist has no item `" + item + "`; `trestle " + verb() +
         " RUN --checklist` shows it";
}

std::string ArmingList::add_word(const std::string& by) {
  if (const std::string open = open_items(); now_.required && !open.empty())
    return "not " + participle() + ": the checklist is open: " + open +
           "; confirm each item: trestle " + verb() + ", at a terminal or with --tick";
  if (std::find(now_.armed_by.begin(), now_.armed_by.end(), by) != now_.armed_by.end())
    return by + " has " + participle() +
           " already; this test needs a second person (arming.words: 2)";
  now_.armed_by.push_back(by);
  return {};
}

bool ArmingList::is_armed() const noexcept {
  return now_.armed_by.size() >= static_cast<std::size_t>(now_.words);
}

std::string ArmingList::persons() const {
  std::string all;
  for (const std::string& each : now_.armed_by) all += (all.empty() ? "" : " and ") + each;
  return all;
}

std::vector<AuditEntry> ArmingList::take_entries(const std::string& by) {
  std::vector<AuditEntry> entries;
  const bool first = audited_.empty();
  for (const ChecklistItem& each : now_.checklist) {
    if (each.by.empty() ||
        std::find(audited_.begin(), audited_.end(), each.text) != audited_.end())
      continue;
    audited_.push_back(each.text);
    entries.push_back(
        each.waived.empty()
            ? session::audit_confirmed(each.by, each.text, each.at)
            : session::audit_waived(each.by, each.text, each.at, each.waived));
  }
  if (const std::string open = open_items(); first && !entries.empty() && !open.empty())
    entries.push_back(session::audit_unconfirmed(by, open));
  return entries;
}

std::string ArmingList::verb() const {
  return command_ == Command::kArm ? "arm" : "resume";
}

std::string ArmingList::participle() const {
  return command_ == Command::kArm ? "armed" : "resumed";
}

/// "hydraulics at pressure; recording space"
std::string ArmingList::open_items() const {
  std::string open;
  for (const ChecklistItem& each : now_.checklist)
    if (each.by.empty()) open += (open.empty() ? "" : "; ") + each.text;
  return open;
}

}  // namespace trestle::integrator_node
