#include "composition/hybrid_test/checklist_factory.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "core/base/setting_error.h"
#include "core/base/suggestion.h"
#include "core/yaml/dimensions.h"
#include "proto/config/site.pb.h"

namespace trestle::composition {
namespace {

// Bytes: an audit entry and a request hold an item, and one message all of a site's.
constexpr std::size_t kLongestItem = 200;
constexpr int kMostItems = 64;

/// A transducer of a site: its channel there, and the dimension of its reading.
struct NamedReading {
  const ChecklistRig* rig = nullptr;
  std::string channel{};
  config::Dimension dimension = config::PLAIN;
  std::optional<DofKind> kind{};  ///< of its actuator; no value: not known, or none
};

/// What is wrong with a text on one line. Empty: nothing.
std::string problem_of_text(const std::string& text) {
  const bool broken = std::any_of(text.begin(), text.end(),
                                  [](char letter) { return letter >= 0 && letter < ' '; });
  if (!text.empty() && text.size() <= kLongestItem && !broken) return {};
  return "an item of the checklist has " + std::to_string(text.size()) +
         " bytes; must be 1 to 200 on one line";
}

/// The rig whose site is named first, and the rest of the name.
std::pair<const ChecklistRig*, std::string> rig_of_reading(
    const std::string& read, const std::vector<ChecklistRig>& rigs) {
  std::pair<const ChecklistRig*, std::string> found{nullptr, read};
  for (const ChecklistRig& rig : rigs)
    if (read.starts_with(rig.site + ".") &&
        (found.first == nullptr || rig.site.size() > found.first->site.size()))
      found = {&rig, read.substr(rig.site.size() + 1)};
  return found;
}

/// The names of the transducers of the actuators.
std::vector<std::string> transducers_of(const ChecklistRig& rig) {
  std::vector<std::string> names;
  for (int i = 1; i <= rig.actuators; ++i)
    for (const char* quantity : {".displacement", ".force"})
      names.push_back(std::to_string(i) + quantity);
  return names;
}

/// What is wrong with the name of a transducer. Empty: nothing.
std::string identify(NamedReading& reading) {
  const ChecklistRig& rig = *reading.rig;
  const std::string& channel = reading.channel;
  const bool moves = channel.ends_with(".displacement");
  if (moves || channel.ends_with(".force")) {
    const std::vector<std::string> known = transducers_of(rig);
    const auto place = std::find(known.begin(), known.end(), channel);
    if (!known.empty() && place == known.end())
      return "site " + rig.site + " has no transducer " + quote(channel) + "; " +
             suggestion(channel, known);
    reading.dimension = moves ? config::MOTION : config::GENERALISED_FORCE;
    const auto actuator = static_cast<std::size_t>((place - known.begin()) / 2);
    if (!known.empty() && actuator < rig.kinds.size()) reading.kind = rig.kinds[actuator];
    return {};
  }
  if (channel.starts_with("load cell ")) {
    reading.dimension = config::FORCE;
    return {};
  }
  if (rig.further && !channel.empty()) return {};  // in its own unit
  return "site " + rig.site + " has no transducer " + quote(channel) + "; " +
         suggestion(channel, transducers_of(rig));
}

/// @returns what is wrong with the bound; empty: nothing
std::string read_bound(const std::string& text, const NamedReading& reading,
                       double& within) {
  if (text.empty()) return "a reading needs a bound: within: 0.2 kN";
  const Result<yaml::Quantity> quantity = yaml::read_quantity(text, reading.dimension);
  if (!quantity) return "within " + quantity.error().detail;
  using yaml::UnitClass;
  const UnitClass unit = quantity.value().unit_class;
  if (reading.kind && unit != UnitClass::kNone &&
      (unit == UnitClass::kRotation) != (*reading.kind == DofKind::kRotation))
    return "within is given as " + quote(text) + "; " + reading.channel + " is of a " +
           (*reading.kind == DofKind::kRotation ? "rotation" : "translation");
  within = quantity.value().value;
  return within > 0.0 ? "" : "within is " + quote(text) + "; must be above zero";
}

/// Collects what is wrong with the items, and what they say.
class ChecklistReader {
 public:
  ChecklistReader(const std::vector<ChecklistRig>& rigs, bool own)
      : rigs_(rigs), own_(own) {}

  ChecklistItem read(const config::ChecklistEntry& entry, const std::string& path) {
    ChecklistItem item{entry.ask()};
    if (entry.read().empty()) {
      if (!entry.within().empty()) refuse(path + ".within", "is of `read`; leave it out");
      if (std::string why = problem_of_text(item.text); !why.empty())
        refuse(path, std::move(why));
      return item;
    }
    if (!entry.ask().empty())
      refuse(path, "a person confirms `ask`, and `read` is compared; make two items of it");
    NamedReading reading;
    std::tie(reading.rig, reading.channel) = rig_of_reading(entry.read(), rigs_);
    if (reading.rig == nullptr && own_) reading.rig = &rigs_.front();
    item.text = (own_ ? reading.channel : entry.read()) + " within " + entry.within();
    if (reading.rig == nullptr) {
      std::vector<std::string> sites;
      for (const ChecklistRig& rig : rigs_) sites.push_back(rig.site);
      refuse(path + ".read", quote(entry.read()) +
                                 " names no site of this test; write SITE.1.force with " +
                                 listed(sites));
      return item;
    }
    item.reading = {.site = reading.rig->site, .channel = reading.channel};
    if (std::string why = identify(reading); !why.empty())
      refuse(path + ".read", std::move(why));
    else if (why = read_bound(entry.within(), reading, item.reading.within); !why.empty())
      refuse(path + ".within", std::move(why));
    else if (why = problem_of_text(item.text); !why.empty())
      refuse(path, std::move(why));
    return item;
  }

  void refuse(const std::string& path, std::string why) {
    problems_.push_back({path, std::move(why)});
  }
  void throw_if_any() {
    if (!problems_.empty()) throw SettingError(std::move(problems_));
  }

 private:
  const std::vector<ChecklistRig>& rigs_;
  bool own_;
  std::vector<SettingIssue> problems_;
};

std::vector<ChecklistItem> read_all(const ChecklistEntries& entries,
                                    const std::vector<ChecklistRig>& rigs, bool own,
                                    const std::string& path) {
  ChecklistReader reader(rigs, own);
  std::vector<ChecklistItem> items;
  if (entries.size() > kMostItems)
    reader.refuse(path,
                  "has " + std::to_string(entries.size()) + " items; must be at most 64");
  for (int i = 0; i < entries.size(); ++i) {
    const std::string at = path + "[" + std::to_string(i) + "]";
    ChecklistItem item = reader.read(entries[i], at);
    if (std::any_of(items.begin(), items.end(),
                    [&](const ChecklistItem& other) { return other.text == item.text; }))
      reader.refuse(at, "the item is there twice; take one out");
    items.push_back(std::move(item));
  }
  reader.throw_if_any();
  return items;
}

}  // namespace

std::vector<ChecklistItem> make_checklist(const ChecklistEntries& entries,
                                          const std::vector<ChecklistRig>& rigs,
                                          const std::string& path) {
  return read_all(entries, rigs, false, path);
}

std::vector<RequiredItem> make_site_checklist(const ChecklistEntries& entries,
                                              const ChecklistRig& rig,
                                              const std::string& path) {
  std::vector<RequiredItem> items;
  for (const ChecklistItem& item : read_all(entries, {rig}, true, path))
    items.push_back({item.text, item.reading.channel, item.reading.within});
  return items;
}

}  // namespace trestle::composition
