#include "composition/hybrid_test/contacts_factory.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "adapters/decorators/interlocked_rig.h"
#include "core/base/setting_error.h"
#include "core/base/suggestion.h"
#include "proto/config/site.pb.h"
#include "proto/config/site_file.pb.h"

namespace trestle::composition {
namespace {

using decorators::MappedContacts;
using decorators::MappedInput;
using decorators::MappedOutput;

InterlockReaction reaction_of(config::InterlockReaction reaction) {
  switch (reaction) {
    case config::INTERLOCK_REACTION_RAMP:
      return InterlockReaction::kRamp;
    case config::INTERLOCK_REACTION_RELEASE:
      return InterlockReaction::kRelease;
    default:
      return InterlockReaction::kHold;
  }
}

template <typename Mapped>
void refuse_twice(const std::vector<Mapped>& mapped, const std::string& path,
                  std::vector<SettingIssue>& problems) {
  for (std::size_t i = 0; i < mapped.size(); ++i)
    if (std::any_of(mapped.begin(), mapped.begin() + static_cast<std::ptrdiff_t>(i),
                    [&](const Mapped& one) { return one.name == mapped[i].name; }))
      problems.push_back({path + "[" + std::to_string(i) + "]",
                          quote(mapped[i].name) + " is there twice; leave one out"});
}

/// @tparam Site  a site of a test, or a laboratory's own file
template <typename Site>
MappedContacts mapped(const Site& site) {
  MappedContacts contacts;
  for (const config::Interlock& each : site.interlocks())
    contacts.inputs.push_back({each.input(), each.active() == config::CONTACT_LEVEL_CLOSED,
                               reaction_of(each.reaction())});
  for (const config::SignalOutput& each : site.outputs())
    contacts.outputs.push_back(
        {each.output(), each.shows() == config::OUTPUT_SIGNAL_TEST_RUNNING,
         !each.has_active() || each.active() == config::CONTACT_LEVEL_CLOSED});
  return contacts;
}

/// What no rig is needed for to see that it is wrong.
template <typename Site>
MappedContacts checked_contacts(const Site& site, const std::string& path) {
  MappedContacts contacts = mapped(site);
  std::vector<SettingIssue> problems;
  refuse_twice(contacts.inputs, path + "interlocks", problems);
  refuse_twice(contacts.outputs, path + "outputs", problems);
  const bool moves = site.safe_action().has_ramp_home() || site.safe_action().has_unload();
  for (std::size_t i = 0; i < contacts.inputs.size(); ++i)
    if (contacts.inputs[i].reaction == InterlockReaction::kRamp && !moves)
      problems.push_back({path + "interlocks[" + std::to_string(i) + "].reaction",
                          "ramp is the safe action of the site, and its safe_action moves "
                          "nothing; give it safe_action: {kind: ramp-home, ...} or "
                          "{kind: unload, ...}, or the interlock the reaction hold"});
  if (!problems.empty()) throw SettingError(std::move(problems));
  return contacts;
}

template <typename Site>
std::unique_ptr<SiteAdapter> with_contacts_of(std::unique_ptr<SiteAdapter> rig,
                                              const Site& site, const std::string& path) {
  MappedContacts contacts = mapped(site);
  if (contacts.empty()) return rig;
  return std::make_unique<decorators::InterlockedRig>(std::move(rig), std::move(contacts),
                                                      path);
}

const char* word_of(InterlockReaction reaction) {
  return reaction == InterlockReaction::kRamp      ? "ramp"
         : reaction == InterlockReaction::kRelease ? "release"
                                                   : "hold";
}

/// "estop open hold, cage open ramp"
session::ContractEntries entries_of(const MappedContacts& contacts) {
  session::ContractEntries entries;
  std::string text;
  for (const MappedInput& each : contacts.inputs)
    text += (text.empty() ? "" : ", ") + each.name +
            (each.active_closed ? " closed " : " open ") + word_of(each.reaction);
  if (!text.empty()) entries.emplace_back("interlocks", std::exchange(text, {}));
  for (const MappedOutput& each : contacts.outputs)
    text += (text.empty() ? "" : ", ") + each.name +
            (each.active_closed ? " closed: " : " open: ") +
            (each.running ? "test running" : "site ready");
  if (!text.empty()) entries.emplace_back("outputs", text);
  return entries;
}

}  // namespace

std::unique_ptr<SiteAdapter> with_contacts(std::unique_ptr<SiteAdapter> rig,
                                           const config::Site& site,
                                           const std::string& path) {
  return with_contacts_of(std::move(rig), site, path);
}

std::unique_ptr<SiteAdapter> with_contacts(std::unique_ptr<SiteAdapter> rig,
                                           const config::SiteFile& file) {
  return with_contacts_of(std::move(rig), file, "");
}

session::ContractEntries contact_entries(const config::Site& site,
                                         const std::string& path) {
  return site.twin() ? session::ContractEntries{}
                     : entries_of(checked_contacts(site, path));
}

session::ContractEntries contact_entries(const config::SiteFile& file,
                                         const std::string& path) {
  return entries_of(checked_contacts(file, path));
}

}  // namespace trestle::composition
