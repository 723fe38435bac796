#include "numerical/node/arming_list.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/number_text.h"
#include "core/base/person_name.h"
#include "core/session/audit_actions.h"

namespace trestle::integrator_node {
namespace {

/// By its name, or as `2.force` by the number of its actuator.
/// @param readings  displacements, then forces of all actuators, then others
const RigReading* find_reading(const std::vector<RigReading>& readings,
                               const std::string& channel) {
  for (const RigReading& each : readings)
    if (each.channel == channel) return &each;
  std::size_t number = 0;
  for (const std::string quantity : {".displacement", ".force"}) {
    number = 0;
    for (const RigReading& each : readings)
      if (each.channel.ends_with(quantity) &&
          std::to_string(++number) + quantity == channel)
        return &each;
  }
  return nullptr;
}

/// "reads 35 N", "no reading yet"
std::string told(const ReadingBound& bound) {
  return bound.mean ? "reads " + format_number(*bound.mean) + " " + bound.unit
                    : "no reading yet";
}

}  // namespace

void ArmingList::add_items(const std::string& site,
                           const std::vector<RequiredItem>& items) {
  for (const RequiredItem& item : items) {
    ChecklistItem added{site + ": " + item.ask};
    if (!item.read.empty()) {
      added.text = site + "." + item.ask;
      added.reading = {.site = site, .channel = item.read, .within = item.within};
    }
    const auto same = [&added](const ChecklistItem& other) {
      return other.text == added.text;
    };
    now_.required = true;
    if (std::none_of(now_.checklist.begin(), now_.checklist.end(), same))
      now_.checklist.push_back(std::move(added));
  }
}

void ArmingList::take_readings(const std::string& site,
                               const std::vector<RigReading>& readings) {
  for (ChecklistItem& item : now_.checklist) {
    ReadingBound& bound = item.reading;
    if (bound.site != site) continue;
    const RigReading* const reading = find_reading(readings, bound.channel);
    bound.mean.reset();
    bound.deviation.reset();
    if (reading != nullptr && std::isfinite(reading->mean)) bound.mean = reading->mean;
    if (reading != nullptr && std::isfinite(reading->deviation))
      bound.deviation = reading->deviation;
    if (reading != nullptr) bound.unit = reading->unit;
    if (item.waived.empty()) item.by = bound.is_kept() ? "site " + site : "";
  }
}

void ArmingList::mark_not_applicable(const std::string& site, const std::string& why) {
  for (ChecklistItem& item : now_.checklist) {
    if (item.reading.site != site || !item.waived.empty()) continue;
    item.by = "site " + site;
    item.waived = why;
  }
}

void ArmingList::forget_readings(const std::string& site) {
  for (ChecklistItem& item : now_.checklist) {
    // A person's waiver has its time, and stays.
    if (item.reading.site != site || item.waived.empty() || !item.at.empty()) continue;
    item.waived.clear();
    std::erase(audited_, item.text);
  }
  take_readings(site, {});
}

std::string ArmingList::confirm(const std::string& by, const std::string& item,
                                const std::string& at) {
  for (const ChecklistItem& each : now_.checklist)
    if (each.text == item && !each.reading.site.empty())
      return item + " is compared with what the site reads (" + told(each.reading) +
             "); no person confirms it, and a person may waive it with a reason";
  return close(item, {item, by, at});
}

std::string ArmingList::waive(const std::string& by, const std::string& item,
                              const std::string& reason, const std::string& at) {
  if (!has_letter(reason))
    return "not waived: " + item + "; say why it may be left undone (--reason)";
  return close(item, {item, by, at, reason});
}

std::string ArmingList::close(const std::string& item, const ChecklistItem& answer) {
  for (ChecklistItem& each : now_.checklist) {
    if (each.text != item) continue;
    if (!each.by.empty() && !each.at.empty())
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
  if (const std::string open = open_items(); now_.required && !open.empty()) {
    const bool reads = std::any_of(now_.checklist.begin(), now_.checklist.end(),
                                   [](const ChecklistItem& each) {
                                     return each.by.empty() && !each.reading.site.empty();
                                   });
    return "not " + participle() + ": the checklist is open: " + open +
           "; confirm each item: trestle " + verb() + ", at a terminal or with --tick" +
           (reads ? "; no person confirms a reading: see to the rig, or waive it with "
                    "--waive "
                    "and --reason"
                  : "");
  }
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
    if (!each.waived.empty() && each.at.empty())  // by no person
      entries.push_back({each.by, "bus: " + each.reading.site, session::audit_what::kWaived,
                         each.text + ": " + each.waived});
    else if (!each.waived.empty())
      entries.push_back(session::audit_waived(each.by, each.text, each.at, each.waived));
    else if (!each.reading.site.empty())  // by no person, either
      entries.push_back({each.by, "bus: " + each.reading.site,
                         session::audit_what::kConfirmed,
                         each.text + " (" + told(each.reading) + ")"});
    else
      entries.push_back(session::audit_confirmed(each.by, each.text, each.at));
  }
  // Also of a person who confirmed none of them.
  const bool by_a_person = !entries.empty() || !now_.armed_by.empty();
  if (const std::string open = open_items(); first && by_a_person && !open.empty())
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
    if (each.by.empty())
      open += (open.empty() ? "" : "; ") + each.text +
              (each.reading.site.empty() ? "" : " (" + told(each.reading) + ")");
  return open;
}

}  // namespace trestle::integrator_node
