#pragma once

#include <string>
#include <vector>

#include "core/host/host_facts.h"

namespace trestle::host {

/// May a control thread of the measured rate live here?
enum class RealTimeSuitability {
  kSuitable,    ///< allowed to, and never later than half a tick while we looked
  kMarginal,    ///< it keeps its rate, and now and then a tick is late
  kUnsuitable,  ///< more than one tick of a thousand is a whole tick late
};

/// "ready", "late ticks", "unfit".
const char* name(RealTimeSuitability fitness) noexcept;

enum class Rating { kGood, kFair, kPoor };
/// "good", "fair", "poor".
const char* name(Rating standing) noexcept;

/// One thing about the host.
struct Finding {
  std::string about;  ///< one word: "kernel"
  std::string says;   ///< present state
  Rating standing = Rating::kGood;
  std::string change;  ///< remedy; empty if none is needed
};

struct HostAssessment {
  RealTimeSuitability fitness = RealTimeSuitability::kUnsuitable;
  std::string says;  ///< one line
  std::vector<Finding> findings;
};

/// Pure: the same facts, the same verdict. The measured lateness decides, with the
/// scheduling that is allowed; the findings say why it is so, and what would be better.
HostAssessment assess_host(const HostFacts& facts);

/// "1.2 ms", "53 us".
std::string legible(Duration duration);

}  // namespace trestle::host
