#include "composition/processes/pending_acts.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "composition/processes/rig_diary_file.h"
#include "composition/processes/rig_place.h"

namespace trestle::composition {
namespace {

/// The text of an act begins with its time.
PendingAct pending_act(const std::string& rig, AuditEntry entry) {
  const std::size_t end = std::min(entry.text.find(' '), entry.text.size());
  PendingAct act{rig, entry.text.substr(0, end), std::move(entry)};
  act.entry.text.erase(0, end + 1);
  return act;
}

}  // namespace

std::vector<PendingAct> pending_acts(const std::string& where) {
  std::vector<std::string> places = places_of_rigs(where);
  places.push_back(where);  // of a simulated rig
  std::vector<PendingAct> acts;
  for (const std::string& place : places)
    for (AuditEntry& entry : acts_in_diary(place))
      acts.push_back(pending_act(place, std::move(entry)));
  return acts;
}

}  // namespace trestle::composition
