#pragma once

#include <string>

#include "core/base/time.h"

namespace trestle {

/// Why a test holds, since when, and who lets it continue.
struct Hold {
  TimePoint since{};         ///< also of the wait for the word to arm
  std::string reason;        ///< the last one; empty: it does not hold
  std::string first_reason;  ///< of this hold
  /// Why this process cannot continue it, and another one may; empty: it can.
  std::string no_return;
  bool operator_decides = false;  ///< it continues by an operator's word only
  std::string resumed_by;         ///< that word was given by

  /// An operator has to give a word that nobody has given.
  bool needs_word() const noexcept { return operator_decides && resumed_by.empty(); }
  /// All sites run again.
  void end() {
    operator_decides = false;
    resumed_by.clear();
    reason.clear();
    first_reason.clear();
  }
};

}  // namespace trestle
