#include "site-servers/node/message_notes.h"

namespace trestle::site_node {

void MessageNotes::refuse(const std::string& reason, const Fault& fault) {
  add(refused_, reason);
  peer_.say(Rejection{reason, fault});
}

void MessageNotes::record_sums(bool all) {
  const TimePoint now = peer_.now();
  for (session::EventTally* tally : {&malformed_, &ignored_, &refused_, &said_})
    if (tally->due(now, all))
      record_.event(position_.executed, tally->kind(), tally->sum(now));
}

bool MessageNotes::add(session::EventTally& tally, const std::string& text) {
  const bool recorded = tally.add(peer_.now(), text);
  if (recorded) record_.event(position_.executed, tally.kind(), text);
  return recorded;
}

}  // namespace trestle::site_node
