#pragma once

#include <string>
#include <vector>

#include "core/host/host_facts.h"

namespace trestle {

/// May a control thread of the measured rate live here?
enum class Fitness {
  kReady,      ///< allowed to, and never later than half a tick while we looked
  kLateTicks,  ///< it keeps its rate, and now and then a tick is late
  kUnfit,      ///< more than one tick of a thousand is a whole tick late
};

/// "ready", "late ticks", "unfit".
const char* name(Fitness fitness) noexcept;

enum class HostStanding { kGood, kFair, kPoor };
/// "good", "fair", "poor".
const char* name(HostStanding standing) noexcept;

/// One thing about the host.
struct Finding {
  std::string about;  ///< one word: "kernel"
  std::string says;   ///< what it is
  HostStanding standing = HostStanding::kGood;
  std::string change;  ///< what to do; empty where it is good
};

struct HostVerdict {
  Fitness fitness = Fitness::kUnfit;
  std::string says;  ///< one line
  std::vector<Finding> findings;
};

/// Pure: the same facts, the same verdict. The measured lateness decides, with the
/// scheduling that is allowed; the findings say why it is so, and what would be better.
HostVerdict judge(const HostFacts& facts);

/// "1.2 ms", "53 us".
std::string legible(Duration duration);

}  // namespace trestle
