#pragma once

#include <string>

#include "core/base/time.h"

namespace trestle::journal {

/// A change of state or a fault, as the journal keeps it.
struct JournalEvent {
  TimePoint time{};  ///< session time
  std::string node;  ///< node of the event: a site's name, or "integrator"
  std::string kind;  ///< "state", "fault", ...
  std::string text;  ///< one human-readable sentence
  bool operator==(const JournalEvent&) const = default;
};

}  // namespace trestle::journal
